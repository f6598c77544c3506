public import UndercroftCore
import UndercroftFoundation
import UndercroftSQLite

extension StorageError.Code {
  /// A step of a migration, or a check after it, failed.
  ///
  /// The `underlying` error is a ``MigrationFailure``.
  public static let migrationFailed = Self(rawValue: "migrationFailed")
  /// The version of the file is not one of the migrator's versions, or cannot be determined.
  public static let unknownVersion = Self(rawValue: "unknownVersion")
}

extension StorageError {
  /// The action in the message of an error of a migration.
  private static let migrating = "migrate"

  /// Returns the message of an error without the prefix `cannot migrate: `.
  ///
  /// The caller inserts the result into the message of a failed migration, which has this prefix
  /// already.
  static func reason(of error: any Error) -> String {
    guard let error = error as? StorageError else { return "\(error)" }
    let beginning = "cannot \(migrating): "
    return error.message.hasPrefix(beginning)
      ? String(error.message.dropFirst(beginning.count)) : error.message
  }

  /// Returns an error of a migration: `cannot migrate: <reason>; <suggestion>`.
  ///
  /// ``naming(migrated:)`` adds the path of the database.
  static func migration(
    _ reason: String, suggestion: String? = nil, as code: Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    .schema(
      cannot: migrating, reason, suggestion: suggestion, as: code, underlying: underlying)
  }

  /// Returns the error for a failed migration.
  ///
  /// - Parameters:
  ///   - failure: the failure, which is described in the message and is the `underlying` error.
  ///   - reason: a further reason, which is appended to the message, or `nil` if there is none.
  ///   - state: the state in which the failure leaves the file, as the end of the suggestion.
  static func migration(
    _ failure: MigrationFailure, _ reason: String? = nil, state: String
  ) -> StorageError {
    StorageError(
      .migrationFailed, reason.map { "\(failure); after this failure, \($0)" } ?? "\(failure)",
      suggestion: """
        correct \(reason == nil ? "the cause" : "both causes"), and migrate the database again; \
        \(state)
        """,
      backend: SQLiteBackend.name, underlying: failure)
  }

  /// Returns this error with the path of the migrated database in its message:
  /// `cannot migrate "<path>": <reason>`.
  ///
  /// Returns an error of another action, and an error about an in-memory database, unchanged.
  func naming(migrated database: Database) -> StorageError {
    let beginning = "cannot \(Self.migrating)"
    guard let path = database.location?.path,
      failure.hasPrefix("\(beginning): ") || failure.hasPrefix("\(beginning) from ")
    else { return self }
    return StorageError(
      code, "\(beginning) \(quoted(path))\(failure.dropFirst(beginning.count))",
      suggestion: suggestion, backend: backend, key: key, underlying: underlying)
  }

  /// Returns an error of an action on a schema: `cannot <action>: <reason>; <suggestion>`.
  package static func schema(
    cannot action: String, _ reason: String, suggestion: String? = nil, as code: Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      code, "cannot \(action): \(reason)", suggestion: suggestion, backend: SQLiteBackend.name,
      underlying: underlying)
  }
}
