/// How a step tells how far it is: `try progress(done, of: total)`.
public struct MigrationProgress: Sendable {
  private let tell: @Sendable (_ fraction: Double) throws -> Void

  /// Makes one that tells a closure, from 0 to 1: to try what a step does without a migrator.
  public init(_ tell: @escaping @Sendable (_ fraction: Double) throws -> Void) {
    self.tell = tell
  }

  /// Tells how far the step is.
  ///
  /// - Throws: when the migration is to end, which rolls the step back; let it pass.
  public func callAsFunction(_ done: Int, of total: Int) throws {
    try tell(total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1)
  }
}
