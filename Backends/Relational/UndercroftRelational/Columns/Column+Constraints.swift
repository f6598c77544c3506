extension Column {
  /// Makes the column the primary key.
  ///
  /// Several columns with this constraint form a composite primary key.
  ///
  /// If the only key column is an optional integer, and the table is not `WITHOUT ROWID`, SQLite
  /// generates a missing key when a row is inserted.
  ///
  /// - Parameter isAutoincrementing: Whether SQLite never reuses the key of a deleted row.
  ///   (`AUTOINCREMENT`)
  public func primaryKey(isAutoincrementing: Bool = false) -> Self {
    with { $0 = $0.primaryKey(isAutoincrementing: isAutoincrementing) }
  }

  /// Adds a unique constraint: no two rows may have the same value in this column, except NULL.
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Declares an index on this column.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Sets the collation that compares and sorts the text of this column, such as `NOCASE`.
  public func collated(_ name: String) -> Self { with { $0.collation = name } }

  /// Sets the default value of the column.
  ///
  /// The default value is used for rows that existed before the column, and for `nil` properties. A
  /// write of a record therefore never stores NULL in an optional column with a default, unless
  /// `replacesNil` is `false`.
  ///
  /// - Parameters:
  ///   - value: The default value.
  ///   - replacesNil: Whether the default replaces `nil` in inserts and updates. If `false`, `nil`
  ///     is stored as NULL, and the default applies only to rows that omit the column.
  public func `default`(_ value: Value, replacesNil: Bool = true) -> Self {
    with { $0 = $0.default(value, replacesNil: replacesNil) }
  }

  /// Adds a check constraint in SQL, as in `check("rating BETWEEN 0 AND 5")`.
  ///
  /// SQLite rejects rows for which the condition is false, and accepts rows for which the condition
  /// is NULL.
  public func check(_ condition: StaticString) -> Self {
    with { $0 = $0.check(condition) }
  }

  /// Adds a foreign key: the column refers to another table, as
  /// in `references(Author.self, onDelete: .cascade)`.
  ///
  /// The other table is not accessed before the first use of this table, so that two tables can
  /// refer to each other, and a table can refer to itself.
  ///
  /// - Parameters:
  ///   - other: The record type of the other table.
  ///   - column: The referenced property, or `nil` for the primary key of the other table.
  ///   - onDelete: The action to perform if the referenced row is deleted.
  ///   - onUpdate: The action to perform if the referenced column is updated.
  ///   - isDeferred: Whether the constraint is checked at the end
  ///     of the transaction instead of after each statement.
  public func references<Other: TableRecord>(
    _ other: Other.Type, to column: (any PartialKeyPath<Other> & Sendable)? = nil,
    onDelete: ForeignKeyAction = .noAction, onUpdate: ForeignKeyAction = .noAction,
    isDeferred: Bool = false
  ) -> Self {
    with {
      $0.foreignKey = ForeignKey(
        columns: [$0.name], target: .table(of: other, column.map { [$0] } ?? []),
        onDelete: onDelete, onUpdate: onUpdate, isDeferred: isDeferred)
    }
  }

  /// Declares the column as computed from other columns: `generated(as: "price * count")`.
  ///
  /// - Parameters:
  ///   - expression: The expression in SQL.
  ///   - isStored: Whether the value is stored in the file. If `false`, the value is computed at
  ///     each read.
  public func generated(as expression: StaticString, isStored: Bool = false) -> Self {
    with { $0 = $0.generated(as: expression, isStored: isStored) }
  }
}
