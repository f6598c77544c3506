import UndercroftCore
public import UndercroftSQLite

/// A rule that determines the version of a file that another library or an earlier program created.
///
/// Adoptions are stated in code, and a version is never guessed: a file that no adoption recognises
/// is rejected. The other library's own record of versions remains unchanged.
public struct MigrationAdoption: Sendable {
  /// The name of the adoption, for plans and errors.
  public let name: String
  /// A closure that returns the version of a file, or `nil` if the adoption does not recognise the
  /// file.
  ///
  /// The version must be one of `versions`, the versions of the migrator.
  let version: @Sendable (Connection, _ versions: [String]) throws -> String?

  /// Creates an adoption from a closure that returns the version of a file, or `nil` if the closure
  /// does not recognise the file.
  ///
  /// The closure may run before ``DatabaseOptions/setUp``, so the application's
  /// functions may not be available yet.
  public init(
    _ name: String, version: @escaping @Sendable (Connection) throws -> String?
  ) {
    self.init(name) { db, _ in try version(db) }
  }

  init(
    _ name: String,
    _ version: @escaping @Sendable (Connection, [String]) throws -> String?
  ) {
    self.name = name
    self.version = version
  }

  /// Returns an adoption that assigns one version to every file without a migration history: the
  /// last version before the application had a migrator.
  public static func baseline(_ version: String) -> MigrationAdoption {
    MigrationAdoption("baseline \(version)") { _ in version }
  }
}

extension MigrationAdoption {
  /// Returns an adoption for files whose version is the number in
  /// their header. (`PRAGMA user_version`)
  ///
  /// Every new file has the number 0. If the number is 0 and `versions` does not contain 0, this
  /// adoption therefore does not recognise the file, and the migrator tries the next of its
  /// ``Migrator/adoptions``. Any other number that is not in `versions` is an error.
  ///
  /// ```swift
  /// Migrator(steps, schema: schema, adopting: .userVersion([1: "1", 2: "2"]))
  /// ```
  ///
  /// - Parameter versions: the versions of this migrator, keyed by the number in the header. The
  ///   migrator does not change that number.
  public static func userVersion(_ versions: [Int32: String]) -> MigrationAdoption {
    MigrationAdoption("user_version") { db, _ in
      let number = try db.userVersion()
      if let version = versions[number] { return version }
      if number == 0 { return nil }
      let highest = versions.keys.sorted().suffix(12).map { "\($0)" }.joined(separator: ", ")
      let stated =
        versions.count > 12 ? "other numbers, the highest of which are \(highest)" : highest
      throw StorageError.migration(
        "the file has the user version \(number) (PRAGMA user_version), "
          + (stated.isEmpty
            ? "but .userVersion([…]) lists no number"
            : "but .userVersion([…]) lists only \(stated)"),
        suggestion: """
          in .userVersion([…]), add the number \(number) with the version of the Migrator whose \
          schema the file has
          """,
        as: .unknownVersion)
    }
  }
}
