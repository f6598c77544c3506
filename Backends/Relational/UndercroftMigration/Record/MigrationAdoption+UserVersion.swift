import UndercroftCore
import UndercroftSQLite

extension MigrationAdoption {
  /// Returns an adoption for files whose version is the number in
  /// their header. (`PRAGMA user_version`)
  ///
  /// Every new file has the number 0. So a file with the number 0 is left to the next adoption,
  /// unless 0 is among the stated numbers. Any other number that is not stated is an error.
  ///
  /// ```swift
  /// Migrator(steps, schema: schema, adopting: .userVersion([1: "1", 2: "2"]))
  /// ```
  ///
  /// - Parameter versions: the versions of this migrator by the number,
  ///   which the migrator does not change.
  public static func userVersion(_ versions: [Int32: String]) -> MigrationAdoption {
    MigrationAdoption("user_version") { db, _ in
      let number = try db.userVersion()
      if let version = versions[number] { return version }
      if number == 0 { return nil }
      let stated = versions.keys.sorted().suffix(12).map { "\($0)" }.joined(separator: ", ")
      throw StorageError.migration(
        "the file has the user version \(number), which is none of \(stated)",
        suggestion: "add it to those that .userVersion([…]) states", as: .unknownVersion)
    }
  }
}
