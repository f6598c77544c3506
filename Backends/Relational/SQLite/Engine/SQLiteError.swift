import CSQLite
import UndercroftFileSystem

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
  init(
    _ originalCode: Int32, on connection: OpaquePointer?, sql: String?, hidesDetails: Bool = false
  ) {
    // Before any other call can change it.
    let lastNumber = errno
    let isUnreadable = Self.isUnreadable(originalCode, lastNumber, connection)
    let code = isUnreadable ? SQLITE_IOERR | (33 << 8) : originalCode
    let general = String(cString: sqlite3_errstr(code))
    let spoken = isUnreadable ? nil : connection.map { String(cString: sqlite3_errmsg($0)) }
    self.code = code & 0xff
    self.extendedCode = code
    self.sql = sql
    let file = connection.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) }
    self.path = file.flatMap { $0.isEmpty ? nil : $0 }
    switch self.code {
    case SQLITE_IOERR where lastNumber != 0 && code != SQLITE_IOERR | (2 << 8):
      // A COMMIT that fails leaves sqlite3_system_errno as it was. (2 << 8: the file ended, which is no system error.)
      self.systemErrorNumber = lastNumber
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      self.systemErrorNumber = connection.map { sqlite3_system_errno($0) } ?? 0
    default:
      self.systemErrorNumber = 0
    }
    let isHidden = hidesDetails && self.code == SQLITE_ERROR
    self.message = isHidden ? general : spoken ?? general
  }

  /// Whether a page could not be read, which a statement reports as damage.
  ///
  /// SQLite takes `EIO` for a damaged file system (`SQLITE_IOERR_CORRUPTFS`), and a statement reports that as `SQLITE_CORRUPT`. The same page
  /// may be readable the next time, and a caller who restores a backup would lose what is there.
  private static func isUnreadable(
    _ code: Int32, _ number: Int32, _ connection: OpaquePointer?
  ) -> Bool {
    guard code == SQLITE_CORRUPT, number == EIO, let connection else { return false }
    return undercroft_sqlite_has_failed(connection, EIO) != 0
  }
}
