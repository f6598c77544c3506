import UndercroftCore
import UndercroftSQLite

extension MigrationAdoption {
  /// Takes over files that were migrated by GRDB's `DatabaseMigrator`, by the identifiers of the migrations that were applied.
  ///
  /// They are in the table `grdb_migrations`, in no order. What a file has had must be a beginning of the order that is stated here; the version
  /// is that of the last one. A file without that table is left to the next adoption; anything else is an error: an
  /// identifier that is not stated, one that is missing before a later one, and a table without any.
  ///
  /// ```swift
  /// Migrator(steps, schema: schema, adopting: .grdb(["createBook": "1", "addISBN": "2"]))
  /// Migrator(steps, schema: schema, adopting: .grdb(["v1": "1", "v2": "2", "v3": "3"], merging: ["v3": ["v1", "v2"]]))
  /// ```
  ///
  /// - Parameters:
  ///   - versions: the versions of this migrator by the identifiers of GRDB, in the order in which they were registered; `nil` where this
  ///     migrator has the same names in the same order.
  ///   - merged: which identifiers a merged migration stands for (`registerMigration(_:merging:)`): GRDB takes them off the file's list.
  public static func grdb(
    _ versions: KeyValuePairs<String, String>? = nil, merging merged: [String: [String]] = [:]
  ) -> MigrationAdoption {
    MigrationAdoption("GRDB") { db, known in
      let record = ForeignRecord(of: "GRDB", in: "grdb_migrations")
      guard try record.exists(db) else { return nil }
      let history = GRDBHistory(
        versions.map { $0.map { ($0.key, $0.value) } } ?? known.map { ($0, $0) }, merged)
      try history.requireSense(known)
      var applied: Set<String> = []
      var stranger: String?
      try record.read(db) { db in
        try db.walk("SELECT identifier FROM grdb_migrations") { row in
          let identifier = try row[0] as String
          guard history.isKnown(identifier) else {
            stranger = identifier
            return .stop
          }
          applied.insert(identifier)
          return .continue
        }
      }
      if let stranger {
        throw record.unknown("the migration", stranger, among: history.identifiers)
      }
      return try history.version(after: applied, record)
    }
  }
}
