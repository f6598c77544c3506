import UndercroftCore

extension Table {
  /// Returns a copy of the table with changed constraints.
  private func with(_ change: (inout TableConstraints) -> Void) -> Self {
    var constraints = definition.constraints
    change(&constraints)
    return Self(TableDefinition(name, definition.columns, constraints), codec)
  }

  /// Returns a copy of the table with changed constraints on the columns of some properties.
  ///
  /// If a property has no column, the first use of the table throws an error whose message contains
  /// `what`, such as "a unique constraint".
  private func with(
    _ paths: [any PartialKeyPath<Record> & Sendable], _ what: String,
    _ change: (inout TableConstraints, [String]) -> Void
  ) -> Self {
    var names: [String] = []
    for path in paths {
      guard let name = codec.names.name(of: path) else {
        return with {
          $0.failure = .undeclared(
            codec.names.description(of: path), what: what, of: definition.name)
        }
      }
      names.append(name)
    }
    return with { change(&$0, names) }
  }

  /// Adds a unique constraint: no two rows are allowed to have the same values, other than NULL, in
  /// all of these columns, as in `unique(\.shelf, \.place)`.
  public func unique(_ columns: any PartialKeyPath<Record> & Sendable...) -> Self {
    with(columns, "a unique constraint") { $0.uniqueSets.append($1) }
  }

  /// Declares an index of these columns.
  ///
  /// The first use of the table creates the index, rebuilds the index if its declaration has
  /// changed, and drops indexes that are no longer declared. Indexes that raw SQL created are never
  /// changed. If the rows violate a unique index, the first use of the table throws.
  ///
  /// Two declarations of one table must declare the same indexes. If the indexes differ, the use of
  /// one declaration drops the indexes that only the other declaration contains.
  ///
  /// - Parameters:
  ///   - columns: The properties whose columns are indexed, in this order.
  ///   - unique: Whether the index is unique: no two indexed rows are allowed to have the same
  ///     values, other than NULL.
  ///   - condition: A condition in SQL that selects the indexed rows: `where: "shelf IS NOT NULL"`.
  ///   - onlyNewTables: Whether the index is created only together with the table. Creating an
  ///     index of a large existing table can be slow.
  public func indexed(
    _ columns: any PartialKeyPath<Record> & Sendable..., unique: Bool = false,
    where condition: StaticString? = nil, onlyNewTables: Bool = false
  ) -> Self {
    with(columns, "an index") {
      $0.indexes.append(
        IndexDefinition(
          columns: $1, isUnique: unique, condition: condition?.description,
          isForNewTables: onlyNewTables))
    }
  }

  /// Adds a check constraint in SQL, as in `check("lent < bought")`.
  ///
  /// SQLite rejects rows for which the condition is false, and accepts rows for which the condition
  /// is NULL.
  public func check(_ condition: StaticString) -> Self {
    with { $0.checks.append(condition.description) }
  }

  /// Adds a foreign key: these columns together refer to another table.
  ///
  /// The other table is not accessed before the first use of this table, so that two tables can
  /// refer to each other, and a table can refer to itself.
  ///
  /// - Parameters:
  ///   - other: The record type of the other table.
  ///   - columns: The referring properties.
  ///   - others: The referenced properties. If the array is empty, the columns refer to the primary
  ///     key of the other table.
  ///   - onDelete: The action to perform if the referenced row is deleted.
  ///   - onUpdate: The action to perform if the referenced columns are updated.
  ///   - isDeferred: Whether the constraint is checked at the end
  ///     of the transaction instead of after each statement.
  public func references<Other: TableRecord>(
    _ other: Other.Type, from columns: any PartialKeyPath<Record> & Sendable...,
    to others: [any PartialKeyPath<Other> & Sendable] = [],
    onDelete: ForeignKeyAction = .noAction, onUpdate: ForeignKeyAction = .noAction,
    isDeferred: Bool = false
  ) -> Self {
    with(columns, "a reference") {
      $0.foreignKeys.append(
        ForeignKey(
          columns: $1, target: .table(of: other, others), onDelete: onDelete, onUpdate: onUpdate,
          isDeferred: isDeferred))
    }
  }

  /// Makes the table strict: SQLite rejects values that are not
  /// of the type of their column. (`STRICT`)
  public func strict() -> Self { with { $0.isStrict = true } }

  /// Stores the rows in the order of their primary key, without a rowid (`WITHOUT ROWID`).
  ///
  /// Use this option for small rows whose key is not an integer.
  public func withoutRowID() -> Self { with { $0.hasRowID = false } }

  /// Declares a full-text index of these columns, which makes
  /// them searchable by words: `fullText(\.title, \.note)`.
  ///
  /// The index is an FTS5 table with external content. The name of the FTS5 table is the name of
  /// the table followed by `_search`. Triggers update the FTS5 table. The first use of the table
  /// fills the index from the existing rows, rebuilds the index if its columns or tokenizer have
  /// changed, and drops an index that is no longer declared.
  ///
  /// The table needs an integer primary key. Two declarations of
  /// one table must declare the same full-text index.
  ///
  /// The triggers also remove the entries of rows that `REPLACE` or `OR REPLACE` deletes, for every
  /// writer. The triggers do not cover unique indexes of expressions, or unique indexes that raw
  /// SQL has created since the table was last verified. A `REPLACE` because of such an index leaves
  /// a wrong entry in the full-text index.
  ///
  /// - Parameters:
  ///   - columns: The properties whose columns are indexed.
  ///   - tokenizer: The FTS5 tokenizer that splits text into words: `porter unicode61`
  ///     for English stems, `undercroft_cjk` for Chinese, Japanese and Korean.
  public func fullText(
    _ columns: any PartialKeyPath<Record> & Sendable...,
    tokenizer: String = "unicode61 remove_diacritics 2"
  ) -> Self {
    with(columns, "a full-text search") {
      $0.fullText = FullTextDefinition(
        companionName: FullTextDefinition.companionName(of: name), columns: $1, tokenizer: tokenizer
      )
    }
  }
}

extension ForeignKey.Target {
  /// Returns a reference to the table of a record type.
  ///
  /// The table is not accessed before the reference is resolved.
  static func table<Other: TableRecord>(
    of type: Other.Type, _ columns: [any PartialKeyPath<Other> & Sendable]
  ) -> Self {
    .declared {
      let table = Other.table
      var target = ForeignKey.DeclaredTarget(table: table.definition, columns: [])
      for path in columns {
        if let name = table.codec.names.name(of: path) {
          target.columns.append(name)
        } else {
          target.failure = .undeclared(
            table.codec.names.description(of: path), what: "a reference", of: table.name)
        }
      }
      return target
    }
  }
}

extension StorageError {
  static func undeclared(_ property: String, what: String, of table: String) -> StorageError {
    StorageError.table(
      """
      cannot use \(property) in \(what) of the table \(quoted(table)): no column is declared for \
      this property
      """,
      suggestion: columnSuggestion)
  }
}
