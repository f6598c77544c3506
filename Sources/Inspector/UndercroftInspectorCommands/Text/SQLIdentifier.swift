/// Names of tables and columns as identifiers of SQL.
enum SQLIdentifier {
  /// Returns a name in quotation marks.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Returns a name in quotation marks if it is not a word.
  static func shown(_ name: String) -> String {
    let isWord = name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    return isWord ? name : quoted(name)
  }
}
