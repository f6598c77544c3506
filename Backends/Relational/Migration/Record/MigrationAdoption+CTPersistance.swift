import UndercroftSQLite

extension MigrationAdoption {
  /// Takes over files that CTPersistance has made, by the version that its own migrator keeps in them.
  ///
  /// That is the `databaseVersion` of the last row of the table `kCTPersistanceVersionTableName`. A file without that table is left to the next
  /// adoption. A version without a counterpart is an error, and so is a table without a row, which is left behind where CTPersistance could not enter one.
  ///
  /// ```swift
  /// Migrator(steps, schema: schema, adopting: .ctPersistance(["kCTPersistanceInitVersion": "1", "2.0": "2"]))
  /// ```
  ///
  /// - Parameter versions: the versions of this migrator, by those of CTPersistance; `nil` where they have the same names.
  public static func ctPersistance(_ versions: [String: String]? = nil) -> MigrationAdoption {
    MigrationAdoption("CTPersistance") { db, known in
      let record = ForeignRecord(of: "CTPersistance", in: "kCTPersistanceVersionTableName")
      guard try record.exists(db) else { return nil }
      // The row is changed in its place; of several the library goes by the last.
      let found = try record.read(db) { db in
        try db.query(
          "SELECT databaseVersion FROM kCTPersistanceVersionTableName ORDER BY identifier DESC LIMIT 1"
        ) { row in try row[0] as String? }
      }
      guard let found = found.first ?? nil else {
        throw record.error(
          "names no version",
          cure: "state that of such files by an adoption of your own, put before this one")
      }
      if versions == nil, known.contains(found) { return found }
      guard let version = versions?[found] else {
        throw record.unknown(
          "the version", found, among: versions.map { $0.keys.sorted() } ?? known)
      }
      return version
    }
  }
}
