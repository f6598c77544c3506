import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The state of a running migration test: the schemas of the
/// versions, and the problems found so far.
struct MigrationTestRun {
  let test: MigrationTest
  let migrator: Migrator
  let rowsPerTable: Int
  let seed: UInt64
  let intended: IntendedChanges
  /// The golden schema of each version, keyed by the name of the version.
  private(set) var goldens: [String: GoldenSchema] = [:]
  private(set) var schemas: [String: DatabaseSchema] = [:]
  private(set) var contents: [String: DatabaseContents] = [:]
  private(set) var problems: [MigrationProblem] = []
  private(set) var verified: [VerifiedMigration] = []
  private var reported: Set<MigrationProblem> = []
  /// The database that was filled with rows last, and its version, or `nil` if none is filled yet.
  ///
  /// Further databases of the same version are copies of this database.
  private var filled: (version: String, database: Database)?

  init(_ test: MigrationTest, rowsPerTable: Int, seed: UInt64) throws {
    self.test = test
    (self.rowsPerTable, self.seed) = (rowsPerTable, seed)
    intended = IntendedChanges(test.intendedChanges)
    // An invalid schema is not an error here, because it may not be exported yet.
    if let error = test.migrator.invalidSteps { throw error }
    switch test.exporting {
    case .none: break
    case .missing:
      try test.schemas.exportMissing(
        try BuiltSchemas(test.migrator, test.schemas, test.options))
    case .overwriting:
      try test.schemas.export(test.migrator, overwriting: true, test.options)
    }
    for version in test.migrator.versions {
      goldens[version] = try test.schemas.schema(of: version)
    }
    // Each migration ends at the schema of the golden file. Whether the migrator's
    // schema equals it is verified separately.
    let newest = test.migrator.versions.last.flatMap { [goldens] in goldens[$0]?.script }
    var migrator = Migrator(test.migrator.steps, schema: newest ?? test.migrator.schema)
    migrator.takesSnapshot = false
    self.migrator = migrator
  }

  mutating func report(_ path: String, _ message: String, suggestion: String? = nil) {
    let problem = MigrationProblem(path, message, suggestion: suggestion)
    if reported.insert(problem).inserted { problems.append(problem) }
  }

  mutating func add(_ migration: VerifiedMigration) { verified.append(migration) }

  mutating func record(_ version: String, _ schema: DatabaseSchema, _ contents: DatabaseContents) {
    schemas[version] = schema
    self.contents[version] = contents
  }

  /// Returns a new in-memory database of a version, filled with rows.
  ///
  /// Returns `nil` if the version has no usable golden schema.
  mutating func database(of version: String) throws -> Database? {
    guard let golden = goldens[version], schemas[version] != nil else { return nil }
    if filled?.version != version { filled = (version, try fill(golden, version)) }
    guard let filled else { return nil }
    return try copy(of: filled.database)
  }

  /// Returns a new in-memory database with the contents of another database.
  func copy(of database: Database) throws -> Database {
    let copy = try Database.inMemory(DatabaseOptions(setUp: test.options.setUp))
    try copy.overwrite(with: database)
    return copy
  }

  private mutating func fill(_ golden: GoldenSchema, _ version: String) throws -> Database {
    let database = try golden.database(setUp: test.options.setUp)
    var generator = RowGenerator(rowsPerTable: rowsPerTable, seed: seed)
    let test = test
    let seeded = Set(test.seededTables.map(\.folded))
    let empty = try database.writeWithoutTransaction { db in
      try db.execute("PRAGMA foreign_keys = OFF")
      return try db.transaction { db in
        let before = try DatabaseContents(of: db).counts
        try test.fill?(db, version)
        let after = test.fill == nil ? before : try DatabaseContents(of: db).counts
        let filled = after.filter { before[$0.key] != $0.value }.keys.map(\.folded)
        return try generator.fill(db, except: seeded.union(filled))
      }
    }
    for table in empty {
      report(
        version, "table \(quoted(table)): no generated row satisfies its conditions",
        suggestion: "add rows in MigrationTest.fill")
    }
    return database
  }
}
