import UndercroftCore
import UndercroftFoundation
public import UndercroftSQLite

extension Migrator {
  /// Migrates a temporary copy of a database to `version`, or to the newest version for `nil`, and
  /// returns what the migration did.
  ///
  /// The database itself is only read.
  ///
  /// The copy is beside the database ("library.sqlite.dry-run") and needs as much free space as the
  /// database has bytes. If the process is killed during the dry run, the copy remains until the
  /// next dry run replaces it.
  ///
  /// - Throws: ``StorageError/Code/misuse`` and ``StorageError/Code/unknownVersion`` under the same
  ///   conditions as ``plan(for:to:)``, ``StorageError/Code/full`` if the disk has no space for the
  ///   copy, and the error that ``onEvent`` throws. If a step fails, the function does not throw,
  ///   but returns the failure as ``MigrationDryRun/failure``.
  public func dryRun(of database: Database, to version: String? = nil) throws -> MigrationDryRun {
    let plan = try plan(for: database, to: version)
    guard let location = database.files?.location else {
      let copy = try Database.inMemory(copyOptions(of: database))
      try copy.overwrite(with: database)
      return try run(on: copy, plan, to: version)
    }
    let temporary = location.deletingLastPathComponent().appending(
      path: "\(location.lastPathComponent).dry-run", directoryHint: .notDirectory)
    let files = try DatabaseFiles(at: temporary)
    try files.remove()
    defer { try? files.remove() }
    try database.backUp(to: temporary, pagesAtATime: 4_096) { try onEvent?(.snapshot($0)) }
    let copy = try Database(at: temporary, copyOptions(of: database))
    let run = try run(on: copy, plan, to: version)
    try copy.close()
    return run
  }

  private func copyOptions(of database: Database) -> DatabaseOptions {
    DatabaseOptions(
      readerCount: 1, setUp: database.options.setUp, schemaOwner: database.options.schemaOwner)
  }

  private func run(
    on copy: Database, _ plan: MigrationPlan, to version: String?
  ) throws -> MigrationDryRun {
    let before = try copy.read { db in (try DatabaseSchema(of: db), try Self.rowCounts(db)) }
    var migrator = self
    migrator.takesSnapshot = false
    migrator.fallback = { _ in .fail }
    var failure: MigrationFailure?
    let began = ContinuousClock.now
    do {
      try migrator.migrate(copy, to: version)
    } catch let error as StorageError {
      guard let cause = error.underlying as? MigrationFailure else { throw error }
      failure = cause
    }
    let duration = ContinuousClock.now - began
    let after = try copy.read { db in (try DatabaseSchema(of: db), try Self.rowCounts(db)) }
    let tables = Set(before.1.keys).union(after.1.keys).sorted()
    return MigrationDryRun(
      plan: plan, difference: after.0.difference(from: before.0),
      rowCounts: tables.map { .init(table: $0.text, before: before.1[$0], after: after.1[$0]) },
      duration: duration, failure: failure)
  }

  private static func rowCounts(_ db: Connection) throws -> [ExactString: Int] {
    var counts: [ExactString: Int] = [:]
    for table in try DatabaseSchema(of: db).objects
    where table.kind == .table && !table.isDeclared && VirtualTable(table) == nil {
      counts[table.name.exact] = try db.fetchValue("SELECT count(*) FROM \(identifier: table.name)")
    }
    return counts
  }
}
