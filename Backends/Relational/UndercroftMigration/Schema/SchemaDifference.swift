public import UndercroftSQLite

/// The differences between an old and a new schema.
///
/// The description has one line for each difference, such as `+ table review (id INTEGER PRIMARY
/// KEY, text TEXT)`, `~ table book: + isbn TEXT` or `- index book_title`.
public struct SchemaDifference: Sendable, Hashable {
  /// The objects that only the new schema has.
  public let added: [SchemaObject]
  /// The objects that only the old schema has.
  public let removed: [SchemaObject]
  /// The objects that both schemas have with different definitions.
  public let changed: [Change]

  /// An object that both schemas have with different definitions.
  public struct Change: Sendable, Hashable {
    /// The object in the old schema.
    public let old: SchemaObject
    /// The object in the new schema.
    public let new: SchemaObject
    /// The names of the columns that only the new table has.
    public let addedColumns: [String]
    /// The names of the columns that only the old table has.
    public let removedColumns: [String]
    /// The names of the columns that both tables have with different definitions.
    public let changedColumns: [String]
    /// The differences between the two definitions as text, one per element.
    let lines: [String]
  }

  /// Whether the two schemas are equal.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}

extension DatabaseSchema {
  /// Returns the differences between `old` and this schema, which is the new schema.
  ///
  /// The result includes a different order of the columns of a table:
  /// `~ table book: ~ order of columns: id, title, isbn -> id, isbn, title`.
  public func difference(from old: DatabaseSchema) -> SchemaDifference {
    difference(from: old, ignoringColumnOrder: false)
  }

  /// Returns the differences between `old` and this schema, which is the new schema.
  ///
  /// Another order of the columns of a table is a difference, unless `ignoringColumnOrder` is
  /// `true`.
  package func difference(
    from old: DatabaseSchema, ignoringColumnOrder: Bool
  ) -> SchemaDifference {
    let before = Dictionary(old.objects.map { (Key($0), $0) }) { first, _ in first }
    return SchemaDifference(
      added: objects.filter { before[Key($0)] == nil },
      removed: old.objects.filter { tokens[Key($0)] == nil },
      changed: objects.compactMap { new in
        let key = Key(new)
        guard let earlier = before[key], tokens[key] != old.tokens[key] else { return nil }
        return SchemaDifference.Change(
          from: earlier, to: new, ignoringColumnOrder: ignoringColumnOrder)
      })
  }

  /// Returns the changes that this schema needs to contain all objects of `declared`.
  ///
  /// Additional tables, indexes, views and triggers are not a difference, but an additional column
  /// in a declared table is a difference. The order of the columns of a table is not a difference,
  /// because `ALTER TABLE … ADD COLUMN` adds a column at the end, wherever it is declared.
  public func changes(toContain declared: DatabaseSchema) -> SchemaDifference {
    let all = declared.difference(from: self, ignoringColumnOrder: true)
    return SchemaDifference(added: all.added, removed: [], changed: all.changed)
  }
}
