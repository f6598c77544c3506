import CSQLite
import UndercroftCore
import UndercroftFileSystem

/// An error that SQLite reported: the native cause behind a ``StorageError``.
///
/// The error contains the values bound to the statement only if ``DatabaseOptions/showsArguments``
/// is set.
public struct SQLiteError: Error, Sendable, Equatable {
  /// The extended result code, such as ``Code/constraintUnique``. (`sqlite3_extended_errcode`)
  public let code: Code
  /// The message of the SQLite library. (`sqlite3_errmsg`)
  public let message: String
  /// The SQL of the statement with its placeholders, or `nil` if the failure concerns no statement.
  public let sql: String?
  /// The path of the file, or `nil` for an in-memory database and if the file could not be opened.
  /// (`sqlite3_db_filename`)
  public let path: String?
  /// The `errno` of the system call that failed to open, read or write a file, or 0 if no system
  /// call failed. (`sqlite3_system_errno`)
  public let systemErrorNumber: Int32
  /// The SQL of the statement with its values, or `nil` unless ``DatabaseOptions/showsArguments``
  /// is set.
  public internal(set) var expandedSQL: String?
}

extension SQLiteError: CustomStringConvertible {
  public var description: String {
    if systemErrorNumber == 0 { return "\(message) (SQLite code \(code))" }
    let cause = SystemError(number: systemErrorNumber).description.lowercased()
    return "\(message): \(cause) (SQLite code \(code), errno \(systemErrorNumber))"
  }

  /// Creates a copy of the SQLite error that caused `error`, directly or through wrapping errors.
  ///
  /// Returns `nil` if `error` has no such cause.
  public init?(causeOf error: any Error) {
    var next: (any Error)? = error
    while let error = next {
      if let found = error as? SQLiteError {
        self = found
        return
      }
      next = (error as? any WrappingError)?.wrappedError
    }
    return nil
  }

  /// Creates an error from a result code and the state of the connection that returned it.
  ///
  /// - Parameters:
  ///   - hidesDetails: whether to omit a message that may quote a bound value, for example the
  ///     message about a full-text query.
  ///   - lastNumber: the number of the last system error. The default value is read before any
  ///     other call can change it.
  package init(
    _ originalCode: Int32, on connection: OpaquePointer?, sql: String?, hidesDetails: Bool = false,
    lastNumber: Int32 = errno
  ) {
    let isUnreadable = Self.isUnreadable(originalCode, lastNumber, connection)
    let code = isUnreadable ? Code.ioErrorCorruptFileSystem.rawValue : originalCode
    let general = String(cString: sqlite3_errstr(code))
    let spoken = isUnreadable ? nil : connection.flatMap { Self.message(of: code, on: $0) }
    self.code = Code(rawValue: code)
    self.sql = sql
    let file = connection.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) }
    self.path = file.flatMap { $0.isEmpty ? nil : $0 }
    switch self.code {
    case .ioErrorShortRead, .ioErrorOutOfMemory:
      // A file that ends early is not a system error. SQLite stores no number if memory is missing.
      self.systemErrorNumber = 0
    case .ioError where lastNumber != 0:
      // A `COMMIT` that fails leaves `sqlite3_system_errno` as it was.
      self.systemErrorNumber = lastNumber
    case .ioError, .cannotOpen:
      self.systemErrorNumber = connection.map { sqlite3_system_errno($0) } ?? 0
    default:
      self.systemErrorNumber = 0
    }
    let isHidden = hidesDetails && .error ~= self.code
    self.message = isHidden ? general : spoken ?? general
  }

  /// Returns the message that the connection stores for `code`, or `nil` if it stores another code.
  ///
  /// SQLite does not store some codes, such as `SQLITE_MISUSE`. After a call that returns such a
  /// code, the stored message belongs to an earlier call. (`sqlite3_errcode`, `sqlite3_errmsg`)
  private static func message(of code: Int32, on connection: OpaquePointer) -> String? {
    guard sqlite3_errcode(connection) & 0xff == code & 0xff else { return nil }
    return String(cString: sqlite3_errmsg(connection))
  }

  /// Returns whether SQLite reports damage because a page could not be read.
  ///
  /// SQLite interprets `EIO` as a damaged file system (`SQLITE_IOERR_CORRUPTFS`), which a statement
  /// reports as `SQLITE_CORRUPT`. A later attempt may be able to read the page. A caller that
  /// restores a backup because of the reported damage would lose the present content.
  private static func isUnreadable(
    _ code: Int32, _ number: Int32, _ connection: OpaquePointer?
  ) -> Bool {
    guard code == SQLITE_CORRUPT, number == EIO, let connection else { return false }
    return undercroft_sqlite_has_failed(connection, EIO) != 0
  }
}
