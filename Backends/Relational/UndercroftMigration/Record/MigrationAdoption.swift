public import UndercroftSQLite

/// A rule that determines the version of a file that another library or an earlier program created.
///
/// Adoptions are stated in code, and a version is never guessed: a file that no adoption recognises
/// is refused. The other library's own record of versions remains unchanged.
public struct MigrationAdoption: Sendable {
  /// The name of the adoption, for plans and errors.
  public let name: String
  /// A closure that returns the version of a file, which is one of `versions`, or `nil` if the
  /// adoption does not recognise the file.
  let version: @Sendable (Connection, _ versions: [String]) throws -> String?

  /// Creates an adoption from a closure that returns the version of a file, or
  /// `nil` if it does not recognise the file.
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

  /// Returns an adoption that assigns one version to every file without a migration record: the
  /// last version before the application had a migrator.
  public static func baseline(_ version: String) -> MigrationAdoption {
    MigrationAdoption("baseline \(version)") { _ in version }
  }
}
