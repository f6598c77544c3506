import UndercroftCore

/// An encoder of rows as one JSON array of objects, with one line for each member.
struct JSONRowEncoder: RowEncoder {
  private var order = MemberOrder([])
  private var hasRows = false

  mutating func begin(_ columns: [String]) -> String {
    order = MemberOrder(columns)
    return "["
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    let separator = hasRows ? ",\n  " : "\n  "
    hasRows = true
    var writer = ResultJSON(indentation: 1)
    order.write(row, to: &writer)
    return separator + writer.text
  }

  mutating func end() -> String { hasRows ? "\n]\n" : "\n\n]\n" }
}

/// An encoder of rows as one JSON object on each line.
struct JSONLinesRowEncoder: RowEncoder {
  private var order = MemberOrder([])

  mutating func begin(_ columns: [String]) -> String {
    order = MemberOrder(columns)
    return ""
  }

  mutating func encode(_ row: [ResultValue]) -> String {
    var writer = ResultJSON(indentation: nil)
    order.write(row, to: &writer)
    return writer.text + "\n"
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

/// The order in which the values of a row are members of a JSON object, which is sorted by name.
///
/// A query can return several columns with the same name. The names of the later ones get a number,
/// such as `id:2`. The order is the same for all rows: a dictionary for each row would need as much
/// time as writing the row.
private struct MemberOrder {
  private let members: [ResultJSON.RowMember]

  init(_ columns: [String]) {
    var positions: [ExactString: Int] = [:]
    for (position, column) in columns.enumerated() {
      var name = ExactString(column)
      var number = 2
      while positions[name] != nil {
        name = ExactString("\(column):\(number)")
        number += 1
      }
      positions[name] = position
    }
    members = positions.sorted { $0.key < $1.key }.map { name, position in
      ResultJSON.RowMember(json: ResultValue.text(name.text).json, position: position)
    }
  }

  /// Writes the values of a row as an object.
  func write(_ row: [ResultValue], to writer: inout ResultJSON) { writer.write(row, members) }
}
