public import UndercroftSQLite

/// A step from one version of the schema to the next version, and optionally back.
///
/// A step changes the database by SQL, or by functions of `Connection` such as `renameColumn`. A
/// step must not use types of the application, because such types change, and the effect of a step
/// must stay the same in all later versions of the application.
///
/// ```swift
/// MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT")
///   .down("ALTER TABLE book DROP COLUMN isbn")
/// MigrationStep("3") { db in try db.renameColumn("isbn", of: "book", to: "code") }
/// ```
public struct MigrationStep: Sendable {
  /// A closure that runs a step on the database, and may report the progress of the step.
  typealias Work = @Sendable (Connection, MigrationProgress) throws -> Void
  /// A closure that runs one slice: a part of a step that is committed in a separate transaction.
  ///
  /// The closure receives the value that the previous slice returned, or `nil` for the first slice.
  typealias Slice = @Sendable (Connection, SQLValue?) throws -> SliceResult

  /// The version that the step leads to: any line of 1 to 60 bytes,
  /// such as "3" or "loans-have-readers".
  public let version: String
  /// The closure that runs the step, or `nil` for a base (``base(_:)``).
  let up: Work?
  private(set) var down: Work?
  /// The SQL that reverts the step, or `nil` if there is none.
  ///
  /// The migration history in the file stores this SQL.
  private(set) var downScript: SQL?
  private(set) var slice: Slice?

  /// Creates a step that runs all statements of a script.
  ///
  /// Before each `ALTER TABLE … DROP COLUMN` statement, the step drops the indexes and full-text
  /// tables that were created for tables declared in Swift and that use the column. In a closure,
  /// call `Connection.dropColumn(_:of:)` for the same effect.
  public init(_ version: String, up script: SQL) {
    self.init(version: version) { db, _ in try db.executeStep(script) }
  }

  /// Creates a step that runs a closure.
  public init(_ version: String, up: @escaping @Sendable (Connection) throws -> Void) {
    self.init(version: version) { db, _ in try up(db) }
  }

  /// Creates a step that runs a closure, and passes the closure
  /// a ``MigrationProgress`` for reporting its progress.
  public init(
    _ version: String,
    up: @escaping @Sendable (Connection, MigrationProgress) throws -> Void
  ) {
    self.init(version: version, up: up)
  }

  private init(version: String, up: Work?) {
    self.version = version
    self.up = up
  }

  /// Returns a base step, which represents the oldest version that can be migrated.
  ///
  /// Use a base step if the steps that led to this version were
  /// removed or are unknown. Only the first step can be a base step.
  public static func base(_ version: String) -> MigrationStep {
    MigrationStep(version: version, up: nil)
  }

  /// Returns this step with a script that reverts it.
  ///
  /// As in the `up` script of a step, indexes and full-text tables that were created for tables
  /// declared in Swift do not prevent the script from dropping a column. The file stores the
  /// script, so that earlier versions of the application can revert the step
  /// (``Migrator/newerVersionPolicy``).
  public func down(_ script: SQL) -> MigrationStep {
    var step = self
    step.down = { db, _ in try db.executeStep(script) }
    step.downScript = script
    return step
  }

  /// Returns this step with a closure that reverts it.
  public func down(
    _ down: @escaping @Sendable (Connection) throws -> Void
  ) -> MigrationStep {
    self.down { db, _ in try down(db) }
  }

  /// Returns this step with a closure that reverts it and reports its progress.
  public func down(
    _ down: @escaping @Sendable (Connection, MigrationProgress) throws -> Void
  ) -> MigrationStep {
    var step = self
    step.down = down
    step.downScript = nil
    return step
  }

  /// Returns this step with slices: work that runs before the step in many small transactions.
  ///
  /// Each slice is committed together with the value that it returned. If the process is killed or
  /// a slice fails, the next attempt continues from the last committed value. The step itself runs
  /// after the last slice. If a slice fails, the earlier slices remain. So the schema should still
  /// fit older code after each slice: add and copy in slices, and remove in the step itself.
  ///
  /// ```swift
  /// MigrationStep("4", up: "ALTER TABLE book DROP COLUMN blurb").slices { db, done in
  ///   if done == nil {
  ///     try db.execute("CREATE TABLE blurb (book INTEGER PRIMARY KEY, text TEXT)")
  ///   }
  ///   let last = if case .integer(let last)? = done { last } else { 0 }
  ///   …                                      // the next thousand books after `last`
  ///   return isLast ? .done : .next(.integer(newLast))
  /// }
  /// ```
  ///
  /// - Parameter slice: a closure that runs one slice, and receives the value that the previous
  ///   slice returned, or `nil` for the first slice.
  public func slices(
    _ slice: @escaping @Sendable (Connection, SQLValue?) throws -> SliceResult
  ) -> MigrationStep {
    var step = self
    step.slice = slice
    return step
  }

  /// Whether the step can be reverted.
  public var isReversible: Bool { down != nil }
}

/// The result of one slice: a part of a large step that is committed in a separate transaction.
public enum SliceResult: Sendable {
  /// More work remains.
  ///
  /// The next slice receives the value, such as the last key.
  ///
  /// - Parameter fraction: the part of the whole work that is done, from 0 to 1, or `nil` if that
  ///   part is unknown.
  case next(SQLValue, fraction: Double? = nil)
  /// No work remains for a further slice.
  case done
}

/// A reporter of the progress of a step: `try progress(done, of: total)`.
public struct MigrationProgress: Sendable {
  private let report: @Sendable (_ fraction: Double) throws -> Void

  /// Creates a reporter that calls `report` with a fraction from 0 to 1,
  /// for testing a step without a migrator.
  public init(_ report: @escaping @Sendable (_ fraction: Double) throws -> Void) {
    self.report = report
  }

  /// Reports that `done` of `total` parts of the step are done.
  ///
  /// - Throws: an error if the task is cancelled or ``Migrator/onEvent`` throws. Let the step throw
  ///   that error, so that the step is rolled back.
  public func callAsFunction(_ done: Int, of total: Int) throws {
    try report(total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1)
  }
}
