import UndercroftCore
import UndercroftSQLite

/// The columns that an update sets, accessed through the properties of the table's records.
///
/// ```swift
/// try Book.where { $0.rating < 3 }.update(in: db) {
///   $0.rating += 1
///   $0.title = title
///   $0.note = nil
/// }
/// ```
///
/// A column is set to a Swift value, or to an expression of columns of the same type. An expression
/// reads the values that the row had before the update. Each column can be set once. If a column is
/// set twice, the update throws ``StorageError/Code/misuse``.
///
/// An optional column can also be set to an expression that is not optional: `$0.note = $0.title`.
/// The reverse does not compile. `coalesce(_:)` replaces a missing value:
/// `$0.title = $0.note.coalesce("")`.
@dynamicMemberLookup
public struct Assignments<Record> {
  private let columns: Columns<Record>
  private var assigned: [Assignment] = []
  /// The first error of an assignment, or `nil` if all assignments are valid.
  ///
  /// The update throws this error.
  private var failure: StorageError?

  private init(_ columns: Columns<Record>) { self.columns = columns }

  /// The column that stores a property, as an expression.
  ///
  /// If an assigned expression is NULL, NULL is written, even if the column has a default that
  /// replaces `nil`.
  public subscript<Value: ColumnValue>(
    dynamicMember path: KeyPath<Record, Value>
  ) -> SQLExpression<Value> {
    get { columns[dynamicMember: path] }
    set { assign(path, newValue) }
  }

  /// The expression of a non-optional type that an optional column is set to.
  // Disfavoured, because `$0.note = $0.comment` would be ambiguous otherwise. The result is
  // optional because the operators of `SQLExpression<Int>` would match an optional column instead
  // of the operators for `Int?`.
  @_disfavoredOverload
  public subscript<Wrapped: ColumnValue>(
    dynamicMember path: KeyPath<Record, Wrapped?>
  ) -> SQLExpression<Wrapped>? {
    @available(
      *, unavailable,
      message: "the value of a column cannot be read in Swift: write coalesce(_:) instead of ??"
    )
    // No code can call the getter.
    get { nil }
    set {
      guard let newValue else { return assign(path, Wrapped?.none) }
      assign(path, newValue)
    }
  }

  /// The Swift value that the column of a property is set to.
  ///
  /// If the column has a default that replaces `nil`, `nil` sets the default. The value cannot be
  /// read, so that a property on the right of an assignment always is a column of the stored row.
  // Disfavoured, because `$0.rating = $0.pages` would be ambiguous otherwise.
  @_disfavoredOverload
  public subscript<Value: ColumnValue>(dynamicMember path: KeyPath<Record, Value>) -> Value {
    @available(
      *, unavailable,
      message: "a column can be set to a value and used in SQL expressions, but not read in Swift"
    )
    // No code can call the getter, and the type has no value that the getter could return.
    get { while true {} }
    set { assign(path, newValue) }
  }

  private mutating func assign<Value, Expressed>(
    _ path: KeyPath<Record, Value>, _ expression: SQLExpression<Expressed>
  ) {
    assign(path) { columnIndex in
      Assignment(
        columnIndex: columnIndex, value: .computed(expression.sql), tables: expression.tables)
    }
  }

  private mutating func assign<Value: ColumnValue>(_ path: KeyPath<Record, Value>, _ value: Value) {
    assign(path) { (columnIndex) throws(StorageError) in
      let bound = try value.sqlValue()
      var isNil = false
      if case .null = bound { isNil = Value.isOptional }
      return Assignment(columnIndex: columnIndex, value: .bound(bound, isNil: isNil))
    }
  }

  private mutating func assign<Value>(
    _ path: KeyPath<Record, Value>, _ make: (Int) throws(StorageError) -> Assignment
  ) {
    do throws(StorageError) {
      guard let columnIndex = columns.columnIndex(of: path) else {
        throw StorageError.table(
          """
          cannot set \(columns.names.description(of: path)): no column is declared for this \
          property
          """,
          suggestion: StorageError.columnSuggestion)
      }
      guard !assigned.contains(where: { $0.columnIndex == columnIndex }) else {
        throw StorageError.table(
          "cannot set \(columns.names.description(of: path)): two assignments set this column",
          suggestion: "combine both assignments of the column into one assignment")
      }
      assigned.append(try make(columnIndex))
    } catch {
      failure = failure ?? error
    }
  }

  /// Returns the assignments that a closure makes to the columns of a table.
  static func collected(
    by body: (inout Self) throws -> Void, of table: Table<Record>
  ) throws -> [Assignment] {
    var assignments = Self(table.columns)
    try body(&assignments)
    if let failure = assignments.failure {
      throw failure.within("cannot write to \(quoted(table.name))")
    }
    return assignments.assigned
  }
}
