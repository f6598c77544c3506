/// Reports the progress of a step: `try progress(done, of: total)`.
public struct MigrationProgress: Sendable {
  private let tell: @Sendable (_ fraction: Double) throws -> Void

  /// Creates a reporter that calls `tell` with a fraction from 0 to 1,
  /// for testing a step without a migrator.
  public init(_ tell: @escaping @Sendable (_ fraction: Double) throws -> Void) {
    self.tell = tell
  }

  /// Reports how much of the step is done.
  ///
  /// - Throws: an error if the migration is to end. Let the step throw
  ///   it, so that the step is rolled back.
  public func callAsFunction(_ done: Int, of total: Int) throws {
    try tell(total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1)
  }
}
