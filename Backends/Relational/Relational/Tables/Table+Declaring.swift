import UndercroftCore

extension Table {
  /// The same table with further constraints.
  private func with(_ change: (inout TableConstraints) -> Void) -> Self {
    var constraints = definition.constraints
    change(&constraints)
    return Self(TableDefinition(name, definition.columns, constraints), codec)
  }

  /// The same with constraints on the columns of some properties.
  private func with(
    _ paths: [any PartialKeyPath<Record> & Sendable], _ what: String,
    _ change: (inout TableConstraints, [String]) -> Void
  ) -> Self {
    var names: [String] = []
    for path in paths {
      guard let name = codec.names.name(of: path) else {
        return with {
          $0.failure = .undeclared(path, what: what, of: name)
        }
      }
      names.append(name)
    }
    return with { change(&$0, names) }
  }

  /// Lets no two rows have the same values in these columns together: `unique(\.shelf, \.place)`.
  public func unique(_ columns: any PartialKeyPath<Record> & Sendable...) -> Self {
    with(columns, "a unique constraint") { $0.uniqueSets.append($1) }
  }

  /// Keeps an index of these columns, which is made, changed and dropped as it is declared.
  ///
  /// An index that was made by hand is never touched. A unique one that the rows do not allow fails the first use of the table. Two
  /// declarations of one table must have the same indexes, or each drops those of the other when it is used.
  ///
  /// - Parameters:
  ///   - unique: Whether no two of its rows may have the same values.
  ///   - condition: Which rows it holds, as SQL: `where: "shelf IS NOT NULL"`.
  ///   - onlyNewTables: Whether it is made together with the table alone, as an index of a large table takes its time.
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

  /// Refuses rows in which a condition of SQL does not hold: `check("lent < bought")`.
  public func check(_ condition: StaticString) -> Self {
    with { $0.checks.append(condition.description) }
  }

  /// Lets columns together refer to the primary key of another table, or to other columns of it.
  ///
  /// The table is asked for at first use, so two may refer to each other, and one to itself.
  ///
  /// - Parameters:
  ///   - isDeferred: Whether it is checked when the transaction ends, and not with each statement.
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

  /// Has SQLite refuse values that are not of their column's type. (`STRICT`)
  public func strict() -> Self { with { $0.isStrict = true } }

  /// Keeps the rows by their primary key alone, which suits small rows with a key that is no integer. (`WITHOUT ROWID`)
  public func withoutRowID() -> Self { with { $0.hasRowID = false } }

  /// Keeps the words of these columns in a table beside, so that they can be searched: `fullText(\.title, \.note)`.
  ///
  /// The table is called as this one with `_search` after it, is an FTS5 table without contents of its own, and is kept in step by triggers:
  /// filled from the rows that are there, made anew when its columns or tokenizer change, dropped when it is no longer declared.
  /// It needs an integer primary key. Two declarations of one table must say the same here, as with their indexes.
  ///
  /// `INSERT OR REPLACE` written by hand deletes rows without telling triggers, unless `PRAGMA recursive_triggers` is on; an upsert tells them.
  ///
  /// - Parameter tokenizer: what tells words apart: `porter unicode61` for English stems, `undercroft_cjk` for Chinese, Japanese and Korean.
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
  /// The table of a type, asked for no sooner than it is needed.
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
          target.failure = .undeclared(path, what: "a reference", of: table.name)
        }
      }
      return target
    }
  }
}

extension StorageError {
  static func undeclared(_ path: AnyKeyPath, what: String, of table: String) -> StorageError {
    StorageError(
      .misuse,
      "cannot use \(path) in \(what) of the table \(quoted(table)): no column is declared for it",
      cure: "declare a column for the property", backend: "sqlite")
  }
}
