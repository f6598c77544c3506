import UndercroftCore
import UndercroftSQLite

extension MigrationAdoption {
  /// Returns an adoption that determines the version of a file from the migrations that GRDB's
  /// `DatabaseMigrator` has applied to the file.
  ///
  /// The table `grdb_migrations` contains the identifiers in no particular order. The applied
  /// migrations must be the first migrations in `versions`, without a gap. The file receives the
  /// version of the last applied migration. If a file has no such table, the migrator tries the
  /// next adoption. It is an error if the table is empty, contains an identifier that is neither in
  /// `versions` nor in `merged`, or lacks an identifier that precedes an applied one.
  ///
  /// ```swift
  /// Migrator(steps, schema: schema, adopting: .grdb(["createBook": "1", "addISBN": "2"]))
  /// Migrator(
  ///   steps, schema: schema,
  ///   adopting: .grdb(["v1": "1", "v2": "2", "v3": "3"], merging: ["v3": ["v1", "v2"]]))
  /// ```
  ///
  /// - Parameters:
  ///   - versions: the versions of this migrator, keyed by the identifiers of GRDB, in the order in
  ///     which the application registered these identifiers. Pass `nil` if this migrator has the
  ///     same names in the same order.
  ///   - merged: the identifiers that a migration replaces, keyed by the identifier of that
  ///     migration (`registerMigration(_:merging:)`). GRDB removes the replaced identifiers from
  ///     the table.
  public static func grdb(
    _ versions: KeyValuePairs<String, String>? = nil, merging merged: [String: [String]] = [:]
  ) -> MigrationAdoption {
    MigrationAdoption("GRDB") { db, migratorVersions in
      let record = ThirdPartyHistory(of: "GRDB", in: "grdb_migrations")
      guard try record.exists(db) else { return nil }
      let history = GRDBHistory(
        versions.map { $0.map { ($0.key, $0.value) } } ?? migratorVersions.map { ($0, $0) }, merged)
      try history.validate(migratorVersions)
      var applied: Set<String> = []
      var unknown: String?
      try record.read(db) { db in
        try db.forEachUntil("SELECT identifier FROM grdb_migrations") { row in
          let identifier = try row[0] as String
          guard history.isKnown(identifier) else {
            unknown = identifier
            return .stop
          }
          applied.insert(identifier)
          return .continue
        }
      }
      if let unknown {
        throw record.unknown("the migration", unknown, among: history.identifiers)
      }
      return try history.version(after: applied, record)
    }
  }
}
