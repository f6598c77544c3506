public import UndercroftSQLite

/// How the version of a file is told that another library, or an earlier program, has made.
///
/// Stated in code and never guessed: what no adoption recognises is refused. The file's own record of versions stays as it is.
public struct MigrationAdoption: Sendable {
  /// What it goes by, for plans and errors.
  public let name: String
  let version: @Sendable (borrowing Connection) throws -> String?

  /// Asks a closure, which returns the version, or `nil` for a file it does not know.
  public init(
    _ name: String, version: @escaping @Sendable (borrowing Connection) throws -> String?
  ) {
    self.name = name
    self.version = version
  }

  /// Takes every file that has no record to be of one version: the last one before there was a migrator.
  public static func baseline(_ version: String) -> MigrationAdoption {
    MigrationAdoption("baseline \(version)") { _ in version }
  }
}
