/// The meaning of a column of a table, by which a terminal shows its cells.
enum ColumnRole {
  /// Names of kinds of data.
  case kind
  /// Signs of differences.
  case change
  /// Names and paths, which identify a row, and whose beginning and end both matter.
  case name
  /// Numbers, sizes and shares, which may be texts with units.
  case quantity
  /// Sentences and lists, which are wrapped instead of shortened if they are the last column.
  case sentence
  /// All other values.
  case other

  /// Creates the role of a column of a command, which the name of the column determines.
  init(column: String) {
    switch column {
    case "kind": self = .kind
    case "change": self = .change
    case "name", "key", "group", "path", "location", "table", "target": self = .name
    case "reason", "types", "damage", "values": self = .sentence
    case "size", "share", "count", "entries", "bytes", "rows": self = .quantity
    case "smallest", "median", "p99", "largest": self = .quantity
    default: self = .other
    }
  }

  /// The part of a cell that an ellipsis replaces if the cell is too wide.
  var ellipsis: DisplayWidth.Ellipsis { self == .name ? .middle : .end }

  /// Returns the style of a cell, or `nil` for none.
  func style(_ value: ResultValue) -> TextStyle? {
    switch (self, value) {
    case (.kind, .text): .kind
    case (.change, .text(let sign)): TextStyle(sign: sign)
    default: nil
    }
  }
}
