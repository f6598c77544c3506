public import UndercroftCore
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
  /// Returns an error of a migration: `cannot migrate: <reason>; <suggestion>`.
  static func migration(
    _ reason: String, suggestion: String? = nil, as code: Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    .schema(
      cannot: "migrate", reason, suggestion: suggestion, as: code, underlying: underlying)
  }

  /// Returns the error for a failed migration, whose suggestion is `state`: the state in which the
  /// failure leaves the file.
  static func migration(
    _ failure: MigrationFailure, _ reason: String? = nil, state: String
  ) -> StorageError {
    StorageError(
      .migrationFailed, reason.map { "\(failure); \($0)" } ?? "\(failure)", suggestion: state,
      backend: SQLiteBackend.name, underlying: failure)
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
