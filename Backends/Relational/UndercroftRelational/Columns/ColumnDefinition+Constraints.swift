import UndercroftCore
public import UndercroftSQLite

// These methods declare the same constraints as the methods of `Column`, for columns that store no
// property.

extension ColumnDefinition {
  private func with(_ change: (inout Self) -> Void) -> Self {
    var definition = self
    change(&definition)
    return definition
  }

  /// Makes the column the primary key.
  ///
  /// Several columns with this constraint form a composite primary key.
  ///
  /// - Parameter isAutoincrementing: Whether SQLite never reuses the key of a deleted row.
  ///   (`AUTOINCREMENT`)
  public func primaryKey(isAutoincrementing: Bool = false) -> Self {
    with { ($0.isPrimaryKey, $0.isAutoincrementing) = (true, isAutoincrementing) }
  }

  /// Adds a unique constraint: no two rows may have the same value in this column, except NULL.
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Declares an index on this column.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Sets the collation that compares and sorts the text of this column, such as `NOCASE`.
  public func collated(_ name: String) -> Self { with { $0.collation = name } }

  /// Sets the default value of the column.
  ///
  /// - Parameters:
  ///   - value: The default value.
  ///   - replacesNil: Whether the default replaces `nil` in inserts and updates. In a column that
  ///     is not optional, the default always replaces `nil`.
  public func `default`(_ value: some SQLBindable, replacesNil: Bool = true) -> Self {
    with {
      do throws(StorageError) {
        let value = try value.sqlValue()
        $0.defaultValue = try SQLLiteral(value)
        $0.fallback = replacesNil || !$0.isOptional ? value : nil
      } catch {
        $0.failure = error.within("cannot use the column \(quoted($0.name))")
      }
    }
  }

  /// Adds a check constraint in SQL: SQLite rejects rows for which the condition is false.
  public func check(_ condition: StaticString) -> Self {
    with { $0.checks.append(condition.description) }
  }

  /// Declares the column as computed from other columns.
  ///
  /// - Parameters:
  ///   - expression: The expression in SQL.
  ///   - isStored: Whether the value is stored in the file. If `false`, the value is computed at
  ///     each read.
  public func generated(as expression: StaticString, isStored: Bool = false) -> Self {
    with { $0.generator = .init(expression: expression.description, isStored: isStored) }
  }

  /// Adds a foreign key: the column refers to a column of another table.
  ///
  /// The other table and its column are given by name.
  ///
  /// - Parameters:
  ///   - table: The name of the other table.
  ///   - column: The name of the referenced column.
  ///   - onDelete: The action to perform if the referenced row is deleted.
  ///   - onUpdate: The action to perform if the referenced column is updated.
  ///   - isDeferred: Whether the constraint is checked at the end
  ///     of the transaction instead of after each statement.
  public func references(
    _ table: String, _ column: String, onDelete: ForeignKeyAction = .noAction,
    onUpdate: ForeignKeyAction = .noAction, isDeferred: Bool = false
  ) -> Self {
    with {
      $0.foreignKey = ForeignKey(
        columns: [$0.name], target: .named(table, columns: [column]), onDelete: onDelete,
        onUpdate: onUpdate, isDeferred: isDeferred)
    }
  }
}
