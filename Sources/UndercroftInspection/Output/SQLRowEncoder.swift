import UndercroftCore

/// An encoder of rows as SQL INSERT statements.
struct SQLRowEncoder: RowEncoder {
  private let table: String
  private var columns = ""

  init(table: String) { self.table = table }

  mutating func begin(_ columns: [String]) -> String {
    self.columns = columns.map(Self.identifier).joined(separator: ", ")
    return ""
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    let values = row.map(Self.literal).joined(separator: ", ")
    return "INSERT INTO \(Self.identifier(table)) (\(columns)) VALUES (\(values));\n"
  }

  mutating func end() -> String { "" }

  private static func identifier(_ name: String) -> String {
    quoted(name, by: "\"")
  }

  private static func literal(_ value: ResultValue) -> String {
    switch value {
    case .absent, .null: "NULL"
    case .boolean(let value): value ? "1" : "0"
    case .integer(let number): "\(number)"
    case .real(let number) where number.isNaN: "NULL"
    // SQL has no literal for infinity, but a number beyond the range of a double is infinite.
    case .real(let number) where number.isInfinite: number > 0 ? "9e999" : "-9e999"
    case .real(let number): "\(number)"
    case .text(let text): literal(text)
    case .bytes(let bytes): "x'\(ValueText.hexadecimal(bytes))'"
    case .list, .object: literal(value.json)
    }
  }

  /// Returns a text as an SQL expression.
  ///
  /// SQLite ends a literal at a NUL character, so such a text is written as a blob.
  private static func literal(_ text: String) -> String {
    guard !text.utf8.contains(0) else {
      return "CAST(x'\(ValueText.hexadecimal(text.utf8))' AS TEXT)"
    }
    return quoted(text, by: "'")
  }

  /// Returns a text in quotation marks, in which each quotation mark is doubled.
  private static func quoted(_ text: String, by mark: Unicode.Scalar) -> String {
    "\(mark)\(text.replacingScalars { $0 == mark ? "\(mark)\(mark)" : nil })\(mark)"
  }
}
