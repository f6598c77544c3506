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
    case .text: self = try Self.textOrBytes(column)
    case .blob: self = .bytes(try column.data())
    case .null: self = .null
    }
  }

  private static func textOrBytes(
    _ column: borrowing SQLColumn
  ) throws(StorageError) -> InspectedValue {
    do throws(StorageError) {
      return .text(try column.text())
    } catch {
      // SQLite may also lack the memory for the text.
      guard error.code == .decodingFailed else { throw error }
      return .bytes(column.bytes)
    }
  }
}
