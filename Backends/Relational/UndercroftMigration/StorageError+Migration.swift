public import UndercroftCore

extension StorageError.Code {
  /// A step of a migration, or a check after it, failed.
  ///
  /// The `underlying` error is a ``MigrationFailure``.
  public static let migrationFailed = Self(rawValue: "migrationFailed")
  /// The file has a version that the program does not know or cannot determine.
  public static let unknownVersion = Self(rawValue: "unknownVersion")
}

extension StorageError {
  static func migration(
    _ reason: String, suggestion: String? = nil, as code: Code = .misuse,
    underlying: (any Error)? = nil
  ) -> StorageError {
    StorageError(
      code, "cannot migrate: \(reason)", suggestion: suggestion, backend: "sqlite",
      underlying: underlying)
  }
}
