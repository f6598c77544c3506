import UndercroftCore
import UndercroftSQLite

/// A table in which another library records versions.
///
/// The content of the table is untrusted.
struct ThirdPartyHistory: Sendable {
  private let owner: String
  private let table: String

  init(of owner: String, in table: String) {
    self.owner = owner
    self.table = table
  }

  /// Returns whether the file has the table.
  ///
  /// - Throws: ``StorageError/Code/unknownVersion`` if a view or a virtual table has the name,
  ///   because its rows are computed and could be arbitrary.
  func exists(_ db: Connection) throws -> Bool {
    let sql: SQL = """
      SELECT type = 'table' AND coalesce(rootpage, 0) > 0 FROM sqlite_schema
      WHERE type IN ('table', 'view') AND name = \(table) COLLATE NOCASE
      """
    guard let isTable = try db.fetchOne(sql, { row in try row[0] as Bool }) else { return false }
    guard isTable else {
      throw StorageError.migration(
        """
        \(quoted(table)) is a view or a virtual table, not the ordinary table that \(owner) creates
        """,
        suggestion: "restore a backup in which \(quoted(table)) is the ordinary table of \(owner)",
        as: .unknownVersion)
    }
    return true
  }

  /// Runs `body`, which reads the table.
  ///
  /// If `body` throws a storage error other than `.locked` and `.io`, throws
  /// ``StorageError/Code/unknownVersion`` instead. The message of this error says that the table
  /// cannot be read with the structure that the other library creates.
  func read<Result>(
    _ db: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try body(db)
    } catch let cause as StorageError where cause.code != .locked && cause.code != .io {
      throw error(
        "cannot be read with the structure that \(owner) creates",
        suggestion: "if the file is damaged or the table was changed, restore a backup",
        underlying: cause)
    }
  }

  func error(
    _ reason: String, suggestion: String, underlying: (any Error)? = nil
  ) -> StorageError {
    .migration(
      "the table \(quoted(table)) \(reason)", suggestion: suggestion, as: .unknownVersion,
      underlying: underlying)
  }

  /// Returns the error for a name in the table for which the application has stated no version.
  ///
  /// - Parameters:
  ///   - what: the kind of the name for the error message, such as "the migration".
  ///   - name: the name in the table.
  ///   - stated: the names for which the application has stated a version.
  func unknown(_ what: String, _ name: String, among stated: [String]) -> StorageError {
    let abbreviated = stated.suffix(12).map { quoted($0) }.joined(separator: ", ")
    return error(
      "contains \(what) \(Self.abbreviated(name)), "
        + (stated.isEmpty
          ? "but the adoption lists no version" : "which is none of \(abbreviated)"),
      suggestion: "add \(Self.abbreviated(name)) and its version to the adoption \(quoted(owner))")
  }

  /// Returns a name for an error message: in quotes, and shortened to 60 bytes if it is longer.
  static func abbreviated(_ name: String) -> String {
    guard name.utf8.count > 60 else { return quoted(name) }
    return quoted(String(decoding: name.utf8.prefix(60), as: UTF8.self)) + "…"
  }
}
