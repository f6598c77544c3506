import Synchronization

/// An object that reports the progress of an import, and can cancel the import between two steps.
public final class ImportProgress: Sendable {
  private let report: @Sendable (String, Int) -> Void
  private let stop = Atomic(false)

  /// Creates a progress object that calls a closure before each step of the work.
  ///
  /// - Parameter report: a closure that receives the name of the current work and the number of
  ///   steps that are done.
  public init(_ report: @escaping @Sendable (String, Int) -> Void = { _, _ in }) {
    self.report = report
  }

  /// Cancels the work at its next step.
  public func cancel() { stop.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` if the work was cancelled.
  public func check() throws {
    if stop.load(ordering: .relaxed) { throw CancellationError() }
  }

  func step(_ what: String, _ done: Int) throws {
    try check()
    report(what, done)
  }
}
