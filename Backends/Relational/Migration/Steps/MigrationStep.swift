public import UndercroftSQLite

/// One way from a version of the schema to the next one, and perhaps back.
///
/// It is written as SQL on a bare connection, so that it does today what it did on the day of its release: it never names a type of the
/// application, which goes on to change.
///
/// ```swift
/// MigrationStep("2", up: "ALTER TABLE book ADD COLUMN isbn TEXT").down("ALTER TABLE book DROP COLUMN isbn")
/// MigrationStep("3") { db in try db.renameColumn("isbn", of: "book", to: "code") }
/// ```
public struct MigrationStep: Sendable {
  /// What a step does to the database, and whom it tells how far it is.
  typealias Work = @Sendable (borrowing Connection, MigrationProgress) throws -> Void

  /// The version that the step leads to: any text but the empty one, such as "3" or "loans-have-readers".
  public let version: String
  /// `nil` for a version that is where files begin.
  let up: Work?
  private(set) var down: Work?
  /// The way back as text, which the file can keep.
  private(set) var downScript: SQL?
  private(set) var slices: MigrationSlices?

  /// A step that runs all statements of a text.
  public init(_ version: String, up script: SQL) {
    self.init(version: version) { db, _ in try db.executeScript(script) }
  }

  /// A step that runs a closure.
  public init(_ version: String, up: @escaping @Sendable (borrowing Connection) throws -> Void) {
    self.init(version: version) { db, _ in try up(db) }
  }

  /// A step that runs a closure which tells how far it is.
  public init(
    _ version: String,
    up: @escaping @Sendable (borrowing Connection, MigrationProgress) throws -> Void
  ) {
    self.init(version: version, up: up)
  }

  private init(version: String, up: Work?) {
    self.version = version
    self.up = up
  }

  /// A version from which files begin, the steps that led to it being retired or unknown; only the first one may be that.
  public static func base(_ version: String) -> MigrationStep {
    MigrationStep(version: version, up: nil)
  }

  /// The same step with a way back, which the file keeps as text: see ``Migrator/newerFiles``.
  public func down(_ script: SQL) -> MigrationStep {
    var step = self
    step.down = { db, _ in try db.executeScript(script) }
    step.downScript = script
    return step
  }

  /// The same step with a way back.
  public func down(
    _ down: @escaping @Sendable (borrowing Connection) throws -> Void
  ) -> MigrationStep {
    self.down { db, _ in try down(db) }
  }

  /// The same step with a way back that tells how far it is.
  public func down(
    _ down: @escaping @Sendable (borrowing Connection, MigrationProgress) throws -> Void
  ) -> MigrationStep {
    var step = self
    step.down = down
    step.downScript = nil
    return step
  }

  /// The same step with work that is done before it in many transactions, so that none of them is large.
  ///
  /// Each slice is kept as soon as it is done, together with what it returned: after a kill or a failure the work goes on there. The step itself
  /// comes after the last one. What a slice has done stays when a later one fails, so the schema that others know should still fit
  /// meanwhile: add, copy, and take away in the step itself.
  ///
  /// ```swift
  /// MigrationStep("4", up: "ALTER TABLE book DROP COLUMN blurb").slices { db, done in
  ///   if done == nil { try db.execute("CREATE TABLE blurb (book INTEGER PRIMARY KEY, text TEXT)") }
  ///   let last = if case .integer(let last)? = done { last } else { 0 }
  ///   …                                      // the next thousand books after `last`
  ///   return isLast ? .done : .next(.integer(newLast))
  /// }
  /// ```
  ///
  /// - Parameter slice: does one slice, given what the one before returned, which is `nil` at first.
  public func slices(
    _ slice: @escaping @Sendable (borrowing Connection, SQLValue?) throws -> SliceResult
  ) -> MigrationStep {
    var step = self
    step.slices = MigrationSlices(run: slice)
    return step
  }

  /// Whether it has a way back.
  public var isReversible: Bool { down != nil }
}
