import UndercroftCore

/// The type affinity that SQLite derives from a declared type. ("Datatypes in SQLite", 3.1)
///
/// SQLite only tests whether the name of the type contains certain strings, such as `INT` or
/// `CHAR`.
enum Affinity {
  case integer, text, blob, real, numeric

  init(of type: String) {
    let type = SQLName.folded(type).text
    if type.contains("int") {
      self = .integer
    } else if type.contains("char") || type.contains("clob") || type.contains("text") {
      self = .text
    } else if type.isEmpty || type.contains("blob") {
      self = .blob
    } else if type.contains("real") || type.contains("floa") || type.contains("doub") {
      self = .real
    } else {
      self = .numeric
    }
  }

  /// Returns whether a column with this affinity stores every value of a declared type unchanged.
  func preserves(_ type: ColumnType) -> Bool {
    switch type {
    // The affinities `INTEGER` and `NUMERIC` differ only in the result of `CAST`.
    case .integer: self == .integer || self == .numeric
    case .real: self == .real
    case .text: self == .text
    case .blob: self == .blob
    }
  }
}
