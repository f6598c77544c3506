import UndercroftCore
import UndercroftSQLite

// The migration history is read from files whose content is untrusted.

extension MigrationHistory {
  static let suggestion =
    """
    restore a backup, or drop the tables \(quoted(table)) and \
    \(quoted(UnfinishedMigration.table)), which contain only the history, and pass the version of \
    the file: Migrator(…, adopting: .baseline("…"))
    """

  static func unknownStructure(_ table: String, underlying: (any Error)? = nil) -> StorageError {
    .migration(
      "the table \(quoted(table)) does not have the structure of a migration history",
      suggestion: suggestion, as: .unknownVersion, underlying: underlying)
  }

  /// Returns whether the main database contains an ordinary table with this name.
  ///
  /// - Throws: ``StorageError/Code/unknownVersion`` if a view or a virtual table has this name,
  ///   because its rows are computed: they could be arbitrary, and their number unlimited.
  static func isTable(_ name: String, in db: Connection) throws -> Bool {
    let sql: SQL = """
      SELECT type = 'table' AND coalesce(rootpage, 0) > 0 FROM main.sqlite_schema
      WHERE type IN ('table', 'view') AND name = \(name) COLLATE NOCASE
      """
    guard let isTable = try db.fetchOne(sql, { row in try row[0] as Bool }) else { return false }
    guard isTable else { throw unknownStructure(name) }
    return true
  }

  /// Returns whether a string is a valid version name: one line of 1 to 60 bytes without NUL.
  static func isName(_ version: String) -> Bool {
    !version.isEmpty && version.utf8.count <= 60 && !version.contains(where: \.isNewline)
      && !version.utf8.contains(0)
  }

  /// Returns the reason why ``isName(_:)`` is `false` for a version, for error messages.
  static func nameProblem(of version: String) -> String {
    if version.isEmpty { return "the name is empty" }
    let count = version.utf8.count
    if count > 60 { return "the name is \(count) bytes long, and the limit is 60 bytes" }
    return version.utf8.contains(0)
      ? "the name contains a NUL character" : "the name contains a line break"
  }

  /// Throws if the migration history differs from `expected`, because the code of a step has
  /// changed the history.
  ///
  /// Only the migrator is allowed to write the migration history.
  ///
  /// - Parameter action: the name of the step, as the subject of the error message.
  static func require(_ expected: [Entry], after action: String, in db: Connection) throws {
    if let record = try MigrationHistory(of: db), record.entries == expected { return }
    throw StorageError.migration(
      "\(action) has changed the table \(quoted(table)), which is reserved for the migrator",
      suggestion: reservedSuggestion)
  }

  /// The recommended action if the code of a step or of an adoption has changed the history.
  static var reservedSuggestion: String {
    """
    in the steps and adoptions, change no table whose name begins with \
    \(quoted(DatabaseSchema.ownPrefix))
    """
  }
}
