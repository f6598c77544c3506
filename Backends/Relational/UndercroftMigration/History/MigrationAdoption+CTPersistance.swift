import UndercroftSQLite

extension MigrationAdoption {
  /// Returns an adoption that determines the version of a file from the version that
  /// CTPersistance's own migrator recorded in the file.
  ///
  /// The version is the `databaseVersion` of the last row of the table
  /// `kCTPersistanceVersionTableName`. If the file has no such table, this adoption does not
  /// recognise the file, and the migrator tries the next of its ``Migrator/adoptions``. A version
  /// without a counterpart in this migrator is an error. A table without rows, which remains in a
  /// file if CTPersistance could not insert its row, is also an error.
  ///
  /// ```swift
  /// Migrator(
  ///   steps, schema: schema,
  ///   adopting: .ctPersistance(["kCTPersistanceInitVersion": "1", "2.0": "2"]))
  /// ```
  ///
  /// - Parameter versions: the versions of this migrator, keyed by the versions of CTPersistance,
  ///   or `nil` if both use the same names.
  public static func ctPersistance(_ versions: [String: String]? = nil) -> MigrationAdoption {
    MigrationAdoption("CTPersistance") { db, migratorVersions in
      let record = ThirdPartyHistory(of: "CTPersistance", in: "kCTPersistanceVersionTableName")
      guard try record.exists(db) else { return nil }
      // CTPersistance updates the row in place. If there are several rows, CTPersistance uses the
      // last one.
      let stored = try record.read(db) { db in
        try db.fetchAll(
          "SELECT databaseVersion FROM kCTPersistanceVersionTableName ORDER BY identifier DESC LIMIT 1"
        ) { row in try row[0] as String? }
      }
      guard let stored = stored.first ?? nil else {
        throw record.error(
          "contains no version",
          suggestion: """
            before .ctPersistance(…), pass a custom adoption that returns the version of files \
            without a stored version
            """)
      }
      if versions == nil, migratorVersions.contains(stored) { return stored }
      guard let version = versions?[stored] else {
        throw record.unknown(
          "the version", stored, among: versions.map { $0.keys.sorted() } ?? migratorVersions)
      }
      return version
    }
  }
}
