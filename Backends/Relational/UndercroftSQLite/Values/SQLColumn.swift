import CSQLite
public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A value in a column of the current row, or an argument of the current function call.
///
/// The value is valid only until the next row is read or the function call returns. The value is
/// not converted to another type, except that ``real()`` accepts integers that a `Double`
/// represents exactly.
public struct SQLColumn: ~Copyable {
  // The value is fetched once and read several times. SQLite allows this for the value of a column
  // only if no other thread uses the connection. (`SQLITE_OPEN_NOMUTEX`; "Protected and unprotected
  // values") The property is `nil` for an owned value, which SQLite does not store.
  private let raw: OpaquePointer?
  /// The statement whose current row contains the value, or `nil` if the value is an argument of an
  /// SQL function or an owned value.
  private let statement: OpaquePointer?
  private let position: Int32
  private let owned: Unmanaged<OwnedColumn>?

  /// Creates the column at `position`, counted from 0, in the current row of `statement`.
  ///
  /// The row must have a column at this position.
  @usableFromInline
  package init(statement: OpaquePointer, position: Int32) {
    raw = sqlite3_column_value(statement, position)
    self.statement = statement
    self.position = position
    owned = nil
  }

  init(argument raw: OpaquePointer, position: Int) {
    self.raw = raw
    self.statement = nil
    self.position = Int32(clamping: position)
    owned = nil
  }

  /// Creates a column from an owned value, which must live at least as long as the column.
  init(_ column: OwnedColumn) {
    raw = nil
    statement = nil
    position = 0
    owned = .passUnretained(column)
  }

  /// The name of the column as the query spells it, or an empty string if the value is an argument
  /// of an SQL function. (`sqlite3_column_name`)
  public var name: String {
    guard let statement else { return ownedColumn?.name ?? "" }
    return sqlite3_column_name(statement, position).map { String(cString: $0) } ?? ""
  }

  /// Whether the value is NULL.
  public var isNull: Bool { code == SQLITE_NULL }

  /// The type of the value. (`sqlite3_value_type`)
  public var type: SQLType { SQLType(code) }

  private var code: Int32 {
    if let raw { return sqlite3_value_type(raw) }
    return ownedColumn?.code ?? SQLITE_NULL
  }

  private var ownedColumn: OwnedColumn? { owned?.takeUnretainedValue() }

  /// Returns the value, of any type.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func value() throws(StorageError) -> SQLValue {
    switch code {
    case SQLITE_INTEGER: .integer(try integer())
    case SQLITE_FLOAT: .real(try real())
    case SQLITE_TEXT: .text(try text())
    case SQLITE_BLOB: .blob(try data())
    default: .null
    }
  }

  /// Returns the value if it is an integer. (`sqlite3_value_int64`)
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type.
  public func integer() throws(StorageError) -> Int64 {
    guard code == SQLITE_INTEGER else { throw mismatch("an integer") }
    return int64
  }

  private var int64: Int64 {
    if let raw { return sqlite3_value_int64(raw) }
    return ownedColumn?.integer ?? 0
  }

  /// Returns the value if it is a number. (`sqlite3_value_double`)
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type, and for an integer
  ///   that a `Double` cannot represent exactly.
  public func real() throws(StorageError) -> Double {
    switch code {
    case SQLITE_FLOAT: return raw.map { sqlite3_value_double($0) } ?? ownedColumn?.real ?? 0
    case SQLITE_INTEGER:
      guard let number = Double(exactly: int64) else {
        throw failure(
          "a Double cannot represent the integer exactly",
          suggestion: "read the value as an Int64, or convert the value in the SQL with CAST")
      }
      return number
    default: throw mismatch("a number")
    }
  }

  /// Returns the value if it is text, including NUL characters.
  /// (`sqlite3_value_text`, `sqlite3_value_bytes`)
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type,
  ///   and for text that is not UTF-8.
  public func text() throws(StorageError) -> String {
    guard code == SQLITE_TEXT else { throw mismatch("text") }
    guard let raw else { return ownedColumn?.text ?? "" }
    guard let start = sqlite3_value_text(raw) else { throw outOfMemory }
    // The size is read after the text, because SQLite may convert the text to UTF-8 only then.
    let utf8 = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(raw)))
    // Invalid bytes are replaced, which the comparison below detects.
    // A validating initialiser would look up generic types at run time, which costs more.
    let text = String(decoding: utf8, as: UTF8.self)
    guard text.isSame(utf8) else {
      throw failure(
        "the text is not UTF-8",
        suggestion: "correct the stored value, or select CAST(… AS BLOB) and read the value as Data"
      )
    }
    return text
  }

  /// Returns a copy of the value if it is a blob. (`sqlite3_value_blob`, `sqlite3_value_bytes`)
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for a value of another type.
  public func data() throws(StorageError) -> Data {
    guard code == SQLITE_BLOB else { throw mismatch("a blob") }
    guard let raw else { return ownedColumn?.data ?? Data() }
    let start = sqlite3_value_blob(raw)
    let count = Int(sqlite3_value_bytes(raw))
    if let start { return Data(bytes: start, count: count) }
    // SQLite returns a null pointer for an empty blob as well.
    guard count == 0 else { throw outOfMemory }
    return Data()
  }

  /// The bytes of a text or blob value, even if the text is not UTF-8.
  package var bytes: Data {
    guard let raw else { return ownedColumn?.data ?? Data() }
    guard let start = sqlite3_value_blob(raw) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_value_bytes(raw)))
  }

  /// Returns a ``StorageError/Code/decodingFailed`` error whose message contains `reason`, and the
  /// name of the column with its statement, or the position of the argument of the SQL function.
  ///
  /// The suggestion is to correct the value or to read the value as another type.
  public func failure(_ reason: String) -> StorageError {
    failure(
      reason, suggestion: "correct the stored value, or read the value as another Swift type")
  }

  func failure(_ reason: String, suggestion: String) -> StorageError {
    StorageError(
      .decodingFailed, message(reason), suggestion: suggestion, backend: SQLiteBackend.name)
  }

  private func message(_ reason: String) -> String {
    let isColumn = statement != nil || owned != nil
    let subject =
      isColumn ? "the column \(quoted(name))" : "argument \(position), counted from 0"
    let sql = statement.flatMap { sqlite3_sql($0) }.map {
      ", in the statement \(StorageError.printable(String(cString: $0)))"
    }
    return "cannot read \(subject): \(reason)\(sql ?? "")"
  }

  private func mismatch(_ expected: String) -> StorageError {
    failure(
      "expected \(expected), found \(type)",
      suggestion: isNull
        ? """
        read an optional type if the value can be NULL, or use coalesce to select another value \
        instead of NULL
        """
        : "read the value as another Swift type, or convert the value in the SQL with CAST")
  }

  private var outOfMemory: StorageError {
    StorageError(
      .io, message("SQLite does not have enough memory for the value"),
      suggestion: "free memory, and repeat the call", backend: SQLiteBackend.name)
  }
}

extension String {
  /// Returns whether the UTF-8 encoding of the string consists of exactly the given bytes.
  fileprivate func isSame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.withContiguousStorageIfAvailable { own in
      guard own.count == bytes.count else { return false }
      guard let one = own.baseAddress, let other = bytes.baseAddress else { return true }
      return memcmp(one, other, own.count) == 0
    } ?? utf8.elementsEqual(bytes)
  }
}
