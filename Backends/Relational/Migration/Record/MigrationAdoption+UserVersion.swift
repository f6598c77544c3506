import UndercroftCore
import UndercroftSQLite

extension MigrationAdoption {
  /// Takes over files whose version is the number in their header. (`PRAGMA user_version`)
  ///
  /// The number 0 is what every file begins with. So a file that has it is left to the next adoption, unless 0 is among those stated here. Any
  /// other number that is not stated is an error.
  ///
  /// ```swift
  /// Migrator(steps, schema: schema, adopting: .userVersion([1: "1", 2: "2"]))
  /// ```
  ///
  /// - Parameter versions: the versions of this migrator by that number, which is left as it is.
  public static func userVersion(_ versions: [Int32: String]) -> MigrationAdoption {
    MigrationAdoption("user_version") { db, _ in
      let number = try db.userVersion()
      if let version = versions[number] { return version }
      if number == 0 { return nil }
      let stated = versions.keys.sorted().suffix(12).map { "\($0)" }.joined(separator: ", ")
      throw StorageError.migration(
        "the file has the user version \(number), which is none of \(stated)",
        cure: "add it to those that .userVersion([…]) states", as: .unknownVersion)
    }
  }
}
