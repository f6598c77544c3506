import UndercroftCore
public import UndercroftSQLite

// The same words as those of `Column`, for columns that are kept from no property.

extension ColumnDefinition {
  private func with(_ change: (inout Self) -> Void) -> Self {
    var definition = self
    change(&definition)
    return definition
  }

  /// Makes it the primary key, or a part of it where several columns say so.
  ///
  /// - Parameter isAutoincrementing: whether a key that was used is never given again.
  public func primaryKey(isAutoincrementing: Bool = false) -> Self {
    with { ($0.isPrimaryKey, $0.isAutoincrementing) = (true, isAutoincrementing) }
  }

  /// Lets no two rows have the same value.
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Keeps an index of it.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Compares and sorts its texts by this collation, such as `NOCASE`.
  public func collated(_ name: String) -> Self { with { $0.collation = name } }

  /// Gives it a value where there is none.
  ///
  /// - Parameter replacesNil: whether `nil` stands for the default whenever it is written.
  public func `default`(_ value: some SQLBindable, replacesNil: Bool = true) -> Self {
    with {
      do throws(StorageError) {
        let value = try value.sqlValue()
        $0.defaultValue = try SQLLiteral(value)
        $0.fallback = replacesNil || !$0.isOptional ? value : nil
      } catch {
        $0.failure = error
      }
    }
  }

  /// Refuses rows in which a condition of SQL does not hold.
  public func check(_ condition: StaticString) -> Self {
    with { $0.checks.append(condition.description) }
  }

  /// Computes it from other columns.
  ///
  /// - Parameter isStored: whether it is kept in the file, and not computed whenever it is read.
  public func generated(as expression: StaticString, isStored: Bool = false) -> Self {
    with { $0.generator = .init(expression: expression.description, isStored: isStored) }
  }

  /// Lets it refer to a column of a table, by their names.
  ///
  /// - Parameter isDeferred: whether it is checked when the transaction ends, and not with each statement.
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
