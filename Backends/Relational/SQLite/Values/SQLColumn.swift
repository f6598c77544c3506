import CSQLite
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One value of the row, or one argument of the function call, at hand; valid while that is, and never converting what it holds.
public struct SQLColumn: ~Copyable {
  /// The statement, or the value itself if it is an argument.
  private let source: OpaquePointer
  /// The number of the column, or that of the argument counted down from -1.
  private let place: Int32

  init(statement: OpaquePointer, position: Int32) {
    source = statement
    place = position
  }

  init(argument value: OpaquePointer, position: Int) {
    source = value
    place = -1 - Int32(clamping: position)
  }

  private var isArgument: Bool { place < 0 }

  /// The name the query gives it, empty for an argument. (`sqlite3_column_name`)
  public var name: String {
    if isArgument { return "" }
    return sqlite3_column_name(source, place).map { String(cString: $0) } ?? ""
  }

  /// Whether it holds NULL.
  public var isNull: Bool { rawType == SQLITE_NULL }

  /// The type of what it holds. (`sqlite3_column_type`)
  public var type: SQLType { SQLType(rawType) }

  private var rawType: Int32 {
    isArgument ? sqlite3_value_type(source) : sqlite3_column_type(source, place)
  }

  private var rawInteger: Int64 {
    isArgument ? sqlite3_value_int64(source) : sqlite3_column_int64(source, place)
  }

  private var rawDouble: Double {
    isArgument ? sqlite3_value_double(source) : sqlite3_column_double(source, place)
  }

  private var byteCount: Int {
    Int(isArgument ? sqlite3_value_bytes(source) : sqlite3_column_bytes(source, place))
  }

  /// Returns whatever it holds.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for text that is not UTF-8.
  public func value() throws(StorageError) -> SQLValue {
    switch rawType {
    case SQLITE_INTEGER: .integer(rawInteger)
    case SQLITE_FLOAT: .real(rawDouble)
    case SQLITE_TEXT: .text(try text())
    case SQLITE_BLOB: .blob(try data())
    default: .null
    }
  }

  /// Returns the integer it holds. (`sqlite3_column_int64`)
  public func integer() throws(StorageError) -> Int64 {
    guard rawType == SQLITE_INTEGER else { throw mismatch("an integer") }
    return rawInteger
  }

  /// Returns the number it holds; an integer only where it can be told exactly. (`sqlite3_column_double`)
  public func real() throws(StorageError) -> Double {
    switch rawType {
    case SQLITE_FLOAT: return rawDouble
    case SQLITE_INTEGER:
      guard let number = Double(exactly: rawInteger) else {
        throw failure("the integer has more digits than a Double")
      }
      return number
    default: throw mismatch("a number")
    }
  }

  /// Returns the text it holds, NUL characters included. (`sqlite3_column_text`, `sqlite3_column_bytes`)
  public func text() throws(StorageError) -> String {
    guard rawType == SQLITE_TEXT else { throw mismatch("text") }
    let start = isArgument ? sqlite3_value_text(source) : sqlite3_column_text(source, place)
    guard let start else { throw outOfMemory }
    let utf8 = UnsafeBufferPointer(start: start, count: byteCount)
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw failure("the text is not UTF-8")
    }
    return text
  }

  /// Returns a copy of the bytes it holds. (`sqlite3_column_blob`, `sqlite3_column_bytes`)
  public func data() throws(StorageError) -> Data {
    guard rawType == SQLITE_BLOB else { throw mismatch("a blob") }
    let start = isArgument ? sqlite3_value_blob(source) : sqlite3_column_blob(source, place)
    let count = byteCount
    if let start { return Data(bytes: start, count: count) }
    // An empty blob has no address either.
    let hasMemory = isArgument || sqlite3_errcode(sqlite3_db_handle(source)) != SQLITE_NOMEM
    guard count == 0, hasMemory else { throw outOfMemory }
    return Data()
  }

  /// Returns an error that says why the value cannot be read.
  public func failure(_ reason: String) -> StorageError {
    let subject = isArgument ? "argument \(-1 - place)" : "the column \(quoted(name))"
    return StorageError(
      .decodingFailed, "cannot read \(subject): \(reason)", backend: SQLiteBackend.name)
  }

  private func mismatch(_ wanted: String) -> StorageError {
    failure("\(wanted) was asked for and it holds \(type)")
  }

  private var outOfMemory: StorageError {
    StorageError(.io, "cannot read a column: out of memory", backend: SQLiteBackend.name)
  }
}
