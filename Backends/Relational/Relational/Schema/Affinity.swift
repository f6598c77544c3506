import UndercroftCore

/// What SQLite makes of a declared type, of which only a part of the spelling matters to it.
///
/// The rules are those of "Datatypes in SQLite", 3.1.
enum Affinity: String {
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

  /// Whether a column of this kind keeps every value of a declared type as it is.
  func keeps(_ type: ColumnType) -> Bool {
    switch type {
    // They differ in what CAST does alone.
    case .integer: self == .integer || self == .numeric
    case .real: self == .real
    case .text: self == .text
    case .blob: self == .blob
    }
  }
}
