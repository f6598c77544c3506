import Synchronization

/// Hears of every step of long work, and may stop it between two.
public final class ImportProgress: Sendable {
  private let report: @Sendable (String, Int) -> Void
  private let stop = Atomic(false)

  /// Makes one; `report` gets what is being worked at and how many are done.
  public init(_ report: @escaping @Sendable (String, Int) -> Void = { _, _ in }) {
    self.report = report
  }

  /// Stops the work at its next step.
  public func cancel() { stop.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` once the work is to stop.
  public func check() throws {
    if stop.load(ordering: .relaxed) { throw CancellationError() }
  }

  func step(_ what: String, _ done: Int) throws {
    try check()
    report(what, done)
  }
}
