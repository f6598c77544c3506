import UndercroftCore
import UndercroftSQLite

/// The values of one row to write.
enum RowValues<Record> {
  /// The values of all columns of a record.
  case record(Record)
  /// The values that a ``VirtualRecord`` supplies for some or all columns.
  case supplied(SuppliedValues)

  /// The record that the caller passed, or `nil` if the values come from a ``VirtualRecord``.
  var record: Record? { if case .record(let record) = self { record } else { nil } }
}

extension Table {
  /// Returns the indices of the columns that a row has a value for.
  func columnIndices(of row: RowValues<Record>) -> [Int] {
    switch row {
    case .record: definition.writtenColumnIndices
    case .supplied(let values): values.columnIndices
    }
  }

  /// Returns whether the value of a column is `nil`.
  func isNil(_ columnIndex: Int, in row: RowValues<Record>) -> Bool {
    switch row {
    case .record(let record): codec.isNil(columnIndex, of: record)
    case .supplied(let values): values.nils.contains(columnIndex)
    }
  }

  /// Binds the values of these columns to consecutive placeholders, starting at the first
  /// placeholder.
  func bind(
    _ row: RowValues<Record>, _ columnIndices: [Int], to statement: borrowing Statement
  ) throws {
    switch row {
    case .record(let record): try codec.bind(record, columnIndices, to: statement)
    case .supplied(let values):
      for (offset, columnIndex) in columnIndices.enumerated() {
        try statement.bind(values[columnIndex], at: offset + 1)
      }
    }
  }

  /// Returns the value that is written to a column.
  ///
  /// If the value is `nil` and the column has a default that replaces `nil`, the default is
  /// returned.
  func value(of columnIndex: Int, in row: RowValues<Record>) throws -> SQLValue {
    switch row {
    case .supplied(let values): return values[columnIndex]
    case .record(let record):
      let value = try codec.binders[columnIndex].value(record)
      let column = definition.columns[columnIndex]
      return value == .null && column.isOptional ? column.fallback ?? value : value
    }
  }

  /// Returns the values that a virtual record supplies for the table, and the values of
  /// assignments, which replace those of the record.
  ///
  /// Throws an error for an assignment of an SQL expression.
  ///
  /// - Parameter skipsNil: Whether NULL for a `NOT NULL` column without a default leaves the stored
  ///   value unchanged. If `false`, throws an error for such a NULL.
  func values(
    of record: some VirtualRecord, skipsNil: Bool = false,
    setting assignments: (inout Assignments<Record>) throws -> Void = { _ in }
  ) throws -> RowValues<Record> {
    var values = SuppliedValues(for: definition, statements)
    let supplied = try record.values(for: definition)
    for (columnIndex, value) in try statements.values(supplied, of: definition) {
      try values.set(columnIndex, to: value, skipsNil: skipsNil)
    }
    for assignment in try Assignments.collected(by: assignments, of: self) {
      try values.set(assignment)
    }
    return .supplied(values)
  }
}

/// The values that a virtual record supplies for one table, keyed by column index.
struct SuppliedValues {
  private var values: [Int: SQLValue] = [:]
  /// The indices of the columns whose value is NULL, even if a default is written instead.
  private(set) var nils: Set<Int> = []
  private let table: TableDefinition
  private let isKeyGenerated: Bool

  /// Creates an empty set of values.
  init(for table: TableDefinition, _ statements: TableStatements) {
    (self.table, isKeyGenerated) = (table, statements.isKeyGenerated)
  }

  /// The indices of the columns that have a value, in declaration order.
  var columnIndices: [Int] { values.keys.sorted() }

  /// The value of a column, or NULL if the record supplies no value.
  subscript(columnIndex: Int) -> SQLValue { values[columnIndex] ?? .null }

  /// Sets the value of a column, unless the column is computed.
  ///
  /// If the column has a default that replaces `nil`, the default replaces NULL. NULL for a key
  /// that SQLite generates is omitted. For NULL in any other `NOT NULL` column, `skipsNil` decides.
  ///
  /// - Parameter skipsNil: Whether NULL in such a column is omitted. If `false`, the NULL is an
  ///   error.
  /// - Throws: ``StorageError/Code/constraintViolated`` for NULL in such a column, unless
  ///   `skipsNil` is `true`.
  mutating func set(_ columnIndex: Int, to value: SQLValue, skipsNil: Bool = false)
    throws(StorageError)
  {
    let column = table.columns[columnIndex]
    if column.generator != nil { return }
    (values[columnIndex], nils) = (value, nils.subtracting([columnIndex]))
    guard value == .null else { return }
    nils.insert(columnIndex)
    if let fallback = column.fallback {
      values[columnIndex] = fallback
    } else if isKeyGenerated, column.isPrimaryKey {
      values[columnIndex] = nil
    } else if !column.isOptional {
      values[columnIndex] = nil
      if skipsNil { return }
      throw StorageError.table(
        """
        cannot write to the table \(quoted(table.name)): the column \(quoted(column.name)) is NOT \
        NULL, but the value to write is nil
        """,
        suggestion: """
          set a value for the column, or, to leave the stored value unchanged in an update, omit \
          the column
          """,
        as: .constraintViolated)
    }
  }

  /// Sets the column on the left side of an assignment to the value on its right side.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the assigned value is an expression instead of a
  ///   plain value.
  mutating func set(_ assignment: Assignment) throws(StorageError) {
    guard case .bound(let value, _) = assignment.value else {
      throw StorageError.table(
        """
        cannot set the column \(quoted(table.columns[assignment.columnIndex].name)) of the table \
        \(quoted(table.name)) while writing a virtual record: the assigned value is an SQL \
        expression, not a plain value
        """,
        suggestion: """
          assign a plain value, as in $0.rating = 5, or assign the expression afterwards in an \
          update of the row
          """)
    }
    try set(assignment.columnIndex, to: value)
  }
}
