import UndercroftCore

/// An encoder of rows as one JSON array of objects, with one line for each member.
struct JSONRowEncoder: RowEncoder {
  private var columns: [String] = []
  private var hasRows = false

  mutating func begin(_ columns: [String]) -> String {
    self.columns = columns
    return "["
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    let separator = hasRows ? ",\n  " : "\n  "
    hasRows = true
    var writer = ResultJSON(indentation: 1)
    writer.write(.object(members(columns, row)))
    return separator + writer.text
  }

  mutating func end() -> String { hasRows ? "\n]\n" : "\n\n]\n" }
}

/// An encoder of rows as one JSON object on each line.
struct JSONLinesRowEncoder: RowEncoder {
  private var columns: [String] = []

  mutating func begin(_ columns: [String]) -> String {
    self.columns = columns
    return ""
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    ResultValue.object(members(columns, row)).json + "\n"
  }

  mutating func end() -> String { "" }
}

/// An encoder of rows as a JSON object with the names of the columns and the rows as arrays.
struct JSONTableRowEncoder: RowEncoder {
  private var hasRows = false

  mutating func begin(_ columns: [String]) -> String {
    var writer = ResultJSON(indentation: 1)
    writer.write(.list(columns.map { .text($0) }))
    return "{\n  \"columns\" : \(writer.text),\n  \"rows\" : ["
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    let separator = hasRows ? ",\n    " : "\n    "
    hasRows = true
    var writer = ResultJSON(indentation: 2)
    writer.write(.list(row))
    return separator + writer.text
  }

  mutating func end() -> String { hasRows ? "\n  ]\n}\n" : "\n\n  ]\n}\n" }
}

/// Returns the values of a row by the names of their columns.
///
/// A query can return several columns with the same name. The names of the later ones get a number,
/// such as `id:2`.
private func members(_ columns: [String], _ row: [ResultValue]) -> [ExactString: ResultValue] {
  var members: [ExactString: ResultValue] = [:]
  for (column, value) in zip(columns, row) {
    var name = ExactString(column)
    var number = 2
    while members[name] != nil {
      name = ExactString("\(column):\(number)")
      number += 1
    }
    members[name] = value
  }
  return members
}
