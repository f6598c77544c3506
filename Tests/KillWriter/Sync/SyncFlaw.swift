import ArgumentParser

/// A way of writing that violates a guarantee, which the kill loop must detect.
enum SyncFlaw: String, ExpressibleByArgument, CaseIterable {
  /// A transaction is acknowledged before it is committed.
  case acknowledgesEarly = "acknowledges-early"
  /// Some additions are made twice.
  case addsTwice = "adds-twice"

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
