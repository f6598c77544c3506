public import UndercroftSQLite

/// How the version of a file is told that another library, or an earlier program, has made.
///
/// Stated in code and never guessed: what no adoption recognises is refused. The file's own record of versions stays as it is.
public struct MigrationAdoption: Sendable {
  /// What it goes by, for plans and errors.
  public let name: String
  /// Given the versions of the migrator, returns the one that the file has, or `nil` for a file it does not know.
  let version: @Sendable (borrowing Connection, _ versions: [String]) throws -> String?

  /// Asks a closure, which returns the version, or `nil` for a file it does not know.
  ///
  /// It is asked before ``UndercroftSQLite/DatabaseOptions/setUp``, so the application's functions may not be there yet.
  public init(
    _ name: String, version: @escaping @Sendable (borrowing Connection) throws -> String?
  ) {
    self.init(name) { db, _ in try version(db) }
  }

  init(
    _ name: String,
    _ version: @escaping @Sendable (borrowing Connection, [String]) throws -> String?
  ) {
    self.name = name
    self.version = version
  }

  /// Takes every file that has no record to be of one version: the last one before there was a migrator.
  public static func baseline(_ version: String) -> MigrationAdoption {
    MigrationAdoption("baseline \(version)") { _ in version }
  }
}
