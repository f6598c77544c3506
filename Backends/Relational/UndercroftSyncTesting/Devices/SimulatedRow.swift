import UndercroftSQLite

/// The name of a row, which is the same on all devices.
struct SimulatedRowName: Hashable {
  let table: String
  let identifier: String
}

extension SimulatedRowName: CustomStringConvertible {
  var description: String { "\(table)/\(identifier)" }
}

/// A row that a device shows.
struct SimulatedRow {
  let name: SimulatedRowName
  let key: SQLValue
  var values: [String: String?]
  /// The identifier of the row to which the row refers, or `nil` if it refers to none.
  var reference: String?
  var counter: Int64
}

extension SimulatedRow: CustomStringConvertible {
  var description: String {
    var parts = values.keys.sorted().map { "\($0) \((values[$0] ?? nil) ?? "NULL")" }
    if let reference { parts.append("refers to \(reference)") }
    parts.append("counter \(String(counter, radix: 2))")
    return parts.joined(separator: ", ")
  }
}
