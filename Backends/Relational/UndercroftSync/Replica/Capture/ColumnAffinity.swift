import UndercroftSQLite

/// The type to which SQLite converts the values of a column. (Datatypes In SQLite, section 3.1)
enum ColumnAffinity: Sendable, Hashable {
  case integer
  case text
  /// No conversion.
  case blob
  case real
  case numeric

  init(ofType declared: String, inStrictTable isStrict: Bool) {
    let type = declared.uppercased()
    self =
      switch true {
      case type.contains("INT"): .integer
      case type.contains("CHAR"), type.contains("CLOB"), type.contains("TEXT"): .text
      case type.isEmpty, type.contains("BLOB"), isStrict && type == "ANY": .blob
      case type.contains("REAL"), type.contains("FLOA"), type.contains("DOUB"): .real
      default: .numeric
      }
  }
}
