import CSQLite

/// What libsqlite3 said: the native cause behind a ``StorageError``.
///
/// Values bound to the statement are not in it unless they are asked for.
public struct SQLiteError: Error, Sendable, Equatable {
  /// The primary result code, such as 19 for `SQLITE_CONSTRAINT`.
  public let code: Int32
  /// The extended result code, such as 2067 for `SQLITE_CONSTRAINT_UNIQUE`. (`sqlite3_extended_errcode`)
  public let extendedCode: Int32
  /// The library's message. (`sqlite3_errmsg`)
  public let message: String
  /// The statement with its placeholders, or `nil` when the failure concerns none.
  public let sql: String?
  /// The file, or `nil` for a database in memory, and when it could not be opened. (`sqlite3_db_filename`)
  public let path: String?
  /// The number of the system's error behind a failure of reading, writing or opening, or 0. (`sqlite3_system_errno`)
  public let systemErrorNumber: Int32
  /// The statement with its values in their places; `nil` unless ``DatabaseOptions/showsArguments`` asks for it.
  public internal(set) var expandedSQL: String?
}

extension SQLiteError: CustomStringConvertible {
  public var description: String { "\(message) (SQLite code \(extendedCode))" }

  /// Reads what the connection has to say about the call that just returned `code`.
  ///
  /// - Parameter hidesDetails: whether the message may quote a bound value, as that of a full-text query does.
  init(_ code: Int32, on connection: OpaquePointer?, sql: String?, hidesDetails: Bool = false) {
    let spoken = connection.map { String(cString: sqlite3_errmsg($0)) }
    let general = String(cString: sqlite3_errstr(code))
    self.code = code & 0xff
    self.extendedCode = code
    self.sql = sql
    let file = connection.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) }
    self.path = file.flatMap { $0.isEmpty ? nil : $0 }
    let isOfSystem = self.code == SQLITE_IOERR || self.code == SQLITE_CANTOPEN
    self.systemErrorNumber = isOfSystem ? connection.map { sqlite3_system_errno($0) } ?? 0 : 0
    let isHidden = hidesDetails && self.code == SQLITE_ERROR
    self.message = isHidden ? general : spoken ?? general
  }
}
