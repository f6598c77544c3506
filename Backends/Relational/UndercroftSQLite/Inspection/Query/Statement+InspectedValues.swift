import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

extension Statement {
  /// Returns the values of all columns of the current row.
  func inspectedValues() throws(StorageError) -> [InspectedValue] {
    try Row(statement: raw).inspectedValues()
  }
}

extension Row {
  /// Returns the values of all columns.
  func inspectedValues() throws(StorageError) -> [InspectedValue] {
    var values: [InspectedValue] = []
    values.reserveCapacity(count)
    for position in 0..<count { values.append(try InspectedValue(column(position))) }
    return values
  }
}

extension InspectedValue {
  /// Creates the value of a column; text that is not valid UTF-8 becomes bytes.
  init(_ column: borrowing SQLColumn) throws(StorageError) {
    switch column.type {
    case .integer: self = .integer(try column.integer())
    case .real: self = .real(try column.real())
    case .text: self = (try? column.text()).map { .text($0) } ?? .bytes(column.bytes)
    case .blob: self = .bytes(try column.data())
    case .null: self = .null
    }
  }
}
