import ArgumentParser

/// A deliberate error of a client that violates a guarantee.
///
/// Tests use it to verify that the kill loop detects the error.
enum SyncFlaw: String, ExpressibleByArgument, CaseIterable {
  /// The client acknowledges each transaction before it commits the transaction.
  case acknowledgesEarly = "acknowledges-early"
  /// The client makes the additions of every seventh transaction twice.
  case addsTwice = "adds-twice"

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
