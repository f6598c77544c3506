import Foundation
import UndercroftRelational
import UndercroftSQLite

enum Kind: String, Codable, ColumnValue { case novel, essay, poem }

struct Tags: JSONColumnValue, Equatable {
  var names: [String]
  var ranks: [Int?]
  var inner: [String: [Int]]
  var depth: Int??
}

/// A record with a property of every type that a column supports, and with optional ones.
struct Everything: TableRecord, Codable, Equatable {
  var id: Int64
  var i8: Int8
  var i16: Int16
  var i32: Int32
  var i64: Int64
  var i: Int
  var u8: UInt8
  var u16: UInt16
  var u32: UInt32
  var u64: UInt64
  var u: UInt
  var flag: Bool
  var double: Double
  var float: Float
  var text: String
  var data: Data
  var uuid: UUID
  var date: Date
  var decimal: Decimal
  var url: URL
  var kind: Kind
  var tags: Tags
  var maybeInt: Int?
  var maybeDouble: Double?
  var maybeText: String?
  var maybeData: Data?
  var maybeDate: Date?
  var maybeKind: Kind?
}

extension Everything {
  static let table = Table(
    "everything", Everything.init,
    Column("id", \.id).primaryKey(), Column("i8", \.i8), Column("i16", \.i16),
    Column("i32", \.i32), Column("i64", \.i64), Column("i", \.i), Column("u8", \.u8),
    Column("u16", \.u16), Column("u32", \.u32), Column("u64", \.u64), Column("u", \.u),
    Column("flag", \.flag), Column("double", \.double), Column("float", \.float),
    Column("text", \.text), Column("data", \.data), Column("uuid", \.uuid),
    Column("date", \.date), Column("decimal", \.decimal), Column("url", \.url),
    Column("kind", \.kind), Column("tags", \.tags), Column("maybeInt", \.maybeInt),
    Column("maybeDouble", \.maybeDouble), Column("maybeText", \.maybeText),
    Column("maybeData", \.maybeData), Column("maybeDate", \.maybeDate),
    Column("maybeKind", \.maybeKind))

  /// The properties as strings that differ for any two different values: with the bits of numbers,
  /// the bytes of strings and the milliseconds of dates.
  var print: [String] {
    func bytes(_ text: String) -> String { "\(Array(text.utf8))" }
    // A column stores a date with a precision of one millisecond.
    func milliseconds(_ date: Date) -> String { "\((date.timeIntervalSince1970 * 1000).rounded())" }
    return [
      "\(id) \(i8) \(i16) \(i32) \(i64) \(i) \(u8) \(u16) \(u32) \(u64) \(u) \(flag)",
      "double \(double.bitPattern)", "float \(float.bitPattern)", "text \(bytes(text))",
      "data \(Array(data))", "\(uuid)", "date \(milliseconds(date))", "decimal \(decimal)",
      "\(url.absoluteString) \(kind)", "names \(tags.names.map(bytes)) ranks \(tags.ranks)",
      "inner \(tags.inner.sorted { $0.key < $1.key }.map { "\(bytes($0.key)) \($0.value)" })",
      "depth \(tags.depth.flatMap { $0 } ?? -1)", "maybe \(maybeInt ?? -1) \(maybeInt == nil)",
      "double \(maybeDouble.map(\.bitPattern) ?? 1)", "text \(maybeText.map(bytes) ?? "nil")",
      "data \(maybeData.map { "\(Array($0))" } ?? "nil")",
      "date \(maybeDate.map(milliseconds) ?? "nil") \(maybeKind.map { "\($0)" } ?? "nil")",
    ]
  }
}
