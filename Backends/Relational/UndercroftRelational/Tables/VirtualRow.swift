import UndercroftCore
import UndercroftSQLite

/// The values that a virtual record supplies for one table, by the indices of their columns.
struct VirtualRow {
  private(set) var values: [Int: SQLValue] = [:]
  /// The indices of the columns whose value is NULL, even if a default is written instead.
  private var nils: Set<Int> = []
  private let table: TableDefinition
  private let statements: TableStatements

  /// Creates a row from the values of a virtual record.
  ///
  /// - Parameter skipsNil: Whether NULL for a `NOT NULL` column without a default leaves the stored
  ///   value unchanged. If `false`, such a NULL throws.
  init(
    _ shown: ColumnValues, for table: TableDefinition, _ statements: TableStatements,
    skipsNil: Bool = false
  ) throws(StorageError) {
    (self.table, self.statements) = (table, statements)
    for (place, value) in try statements.values(shown, of: table) {
      try set(place, to: value, skipsNil: skipsNil)
    }
  }

  /// Sets the value of a column.
  ///
  /// Ignores a computed column.
  mutating func set(_ place: Int, to value: SQLValue, skipsNil: Bool = false) throws(StorageError) {
    let column = table.columns[place]
    if column.generator != nil { return }
    (values[place], nils) = (value, nils.subtracting([place]))
    guard value == .null else { return }
    nils.insert(place)
    if let fallback = column.fallback {
      values[place] = fallback
    } else if statements.isKeyGenerated, column.isPrimaryKey {
      values[place] = nil
    } else if !column.isOptional {
      values[place] = nil
      if skipsNil { return }
      throw StorageError.table(
        "cannot write to \(quoted(table.name)): the column \(quoted(column.name)) requires a value, and the record supplies none",
        suggestion: "show a value, or do not name the column to leave it as it is",
        as: .constraintViolated)
    }
  }

  /// Sets the column of an assignment.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the assignment is not to a plain value.
  mutating func set(_ assignment: Assignment) throws(StorageError) {
    guard case .bound(let value, _) = assignment.value else {
      throw StorageError.table(
        "cannot set a column of a virtual record: the assignment is not a plain value",
        suggestion: "write $0.rating = 5, or update the row in a second step")
    }
    try set(assignment.place, to: value)
  }

  func row<Record>() -> RowValues<Record> {
    let (values, nils) = (values, nils)
    return RowValues(places: values.keys.sorted(), given: nil) { places, statement in
      for (offset, place) in places.enumerated() {
        try statement.bind(values[place] ?? .null, at: offset + 1)
      }
    } isNil: { place in
      nils.contains(place)
    }
  }
}
