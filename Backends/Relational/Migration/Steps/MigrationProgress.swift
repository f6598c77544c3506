/// How a step tells how far it is: `try progress(done, of: total)`.
public struct MigrationProgress: Sendable {
  let tell: @Sendable (_ fraction: Double) throws -> Void

  /// Tells how far the step is.
  ///
  /// - Throws: when the migration is to end, which rolls the step back; let it pass.
  public func callAsFunction(_ done: Int, of total: Int) throws {
    try tell(total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1)
  }
}
