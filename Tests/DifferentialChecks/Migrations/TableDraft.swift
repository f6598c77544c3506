/// A model of a table and its rows, with names and strings that are hard to parse.
struct TableDraft {
  struct Column {
    var name: String
    var type: String
    /// The SQL that follows the type.
    var constraints: String
    var isKey = false
    var isUnique = false
  }

  struct Index {
    var name: String
    var columns: [String]
    /// The column in the condition of the index, or `nil` if the index has no condition.
    var condition: String?
    var isUnique: Bool
  }

  var name: String
  var columns: [Column]
  var constraints: [String] = []
  var suffix = ""
  var indexes: [Index] = []
  /// The rows, with values in the order of the columns.
  var rows: [[Cell]] = []

  var key: Column? { columns.first { $0.isKey } }
}

extension String {
  /// The name as a quoted SQL identifier.
  var sqlName: String { "\"\(replacing("\"", with: "\"\""))\"" }
}

extension TableDraft {
  /// Returns the statements that create the table and its indexes, with comments where SQL allows
  /// them.
  func statements(_ choices: Choices) -> [String] {
    func gap() -> String {
      choices.pick([" ", "  ", " /* a ) comment */ ", " -- to the end, \"\n"])
    }
    let lines = columns.map { column in
      "\(gap())\(quoted(column.name, choices))\(gap())\(column.type) \(column.constraints)"
    }
    let body = (lines + constraints).joined(separator: ",\n")
    let table = "CREATE TABLE\(gap())\(name.sqlName) (\(body)\n)\(suffix)"
    return [table]
      + indexes.map { index in
        let condition = index.condition.map { " WHERE \($0.sqlName) IS NOT NULL" } ?? ""
        let columns = index.columns.map(\.sqlName).joined(separator: ", ")
        return
          "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name.sqlName) ON \(name.sqlName) (\(columns))\(condition)"
      }
  }

  private func quoted(_ name: String, _ choices: Choices) -> String {
    switch choices.below(4) {
    case 1 where !name.contains("`"): "`\(name)`"
    case 2 where !name.contains("]"): "[\(name)]"
    default: name.sqlName
    }
  }
}
