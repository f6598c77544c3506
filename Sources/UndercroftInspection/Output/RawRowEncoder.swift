/// An encoder of rows as their values without escapes, separated by tabs and line breaks.
struct RawRowEncoder: RowEncoder {
  mutating func begin(_ columns: [String]) -> String { "" }

  mutating func encode(_ row: [ResultValue]) -> String {
    row.map(\.field).joined(separator: "\t") + "\n"
  }

  mutating func end() -> String { "" }
}
