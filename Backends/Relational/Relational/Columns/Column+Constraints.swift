extension Column {
  /// Makes it the primary key, or a part of it where several columns say so; an optional integer is given by SQLite at insertion.
  ///
  /// - Parameter isAutoincrementing: whether a key that was used is never given again.
  public func primaryKey(isAutoincrementing: Bool = false) -> Self {
    with { $0 = $0.primaryKey(isAutoincrementing: isAutoincrementing) }
  }

  /// Lets no two rows have the same value.
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Keeps an index of it.
  public func indexed() -> Self { with { $0.isIndexed = true } }

  /// Compares and sorts its texts by this collation, such as `NOCASE`.
  public func collated(_ name: String) -> Self { with { $0.collation = name } }

  /// Gives it a value where there is none: in rows that were there before it, and where a property is `nil`.
  ///
  /// So a column with a default holds no NULL that a record of this table has written.
  ///
  /// - Parameter replacesNil: whether `nil` stands for the default whenever it is written, inserted or updated; if not it is kept as NULL,
  ///   and the default is for rows that leave the column out.
  public func `default`(_ value: Value, replacesNil: Bool = true) -> Self {
    with { $0 = $0.default(value, replacesNil: replacesNil) }
  }

  /// Refuses rows in which a condition of SQL does not hold: `check("rating BETWEEN 0 AND 5")`.
  public func check(_ condition: StaticString) -> Self {
    with { $0 = $0.check(condition) }
  }

  /// Lets it refer to the primary key of another table, or to another column of it: `references(Author.self, onDelete: .cascade)`.
  ///
  /// The table is asked for at first use, so two may refer to each other, and one to itself.
  ///
  /// - Parameter isDeferred: whether it is checked when the transaction ends, and not with each statement.
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

  /// Computes it from other columns: `generated(as: "price * count")`.
  ///
  /// - Parameter isStored: whether it is kept in the file, and not computed whenever it is read.
  public func generated(as expression: StaticString, isStored: Bool = false) -> Self {
    with { $0 = $0.generated(as: expression, isStored: isStored) }
  }
}
