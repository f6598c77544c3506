public import UndercroftSQLite

/// What makes one schema another.
///
/// Its description has a line for each thing, such as `+ table review (id INTEGER PRIMARY KEY, text TEXT)`, `~ table book: + isbn TEXT` or
/// `- index book_title`.
public struct SchemaDifference: Sendable, Hashable {
  /// What the new one has and the old one has not.
  public let added: [SchemaObject]
  /// What the old one had and the new one has not.
  public let removed: [SchemaObject]
  /// What has the same name and is not the same.
  public let changed: [Change]

  /// An object that both have, one way and the other.
  public struct Change: Sendable, Hashable {
    /// As it was.
    public let old: SchemaObject
    /// As it is.
    public let new: SchemaObject
    /// The names of columns that the table was given.
    public let addedColumns: [String]
    /// The names of columns that it has lost.
    public let removedColumns: [String]
    /// The names of columns that are defined in another way.
    public let changedColumns: [String]
    /// Whether both tables have the same columns and constraints, and only the order of the columns differs.
    let isOnlyReordered: Bool
    /// What is different, in words, one for each line.
    let lines: [String]
  }

  /// Whether both say the same.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}

extension DatabaseSchema {
  /// Returns what makes `old` this schema.
  public func difference(from old: DatabaseSchema) -> SchemaDifference {
    let before = Dictionary(old.objects.map { (Key($0), $0) }) { one, _ in one }
    return SchemaDifference(
      added: objects.filter { before[Key($0)] == nil },
      removed: old.objects.filter { meanings[Key($0)] == nil },
      changed: objects.compactMap { new in
        let key = Key(new)
        guard let earlier = before[key], meanings[key] != old.meanings[key] else { return nil }
        return SchemaDifference.Change(from: earlier, to: new)
      })
  }

  /// Returns what would have to be done to this schema for all that is declared to be here; more tables, indexes, views and triggers
  /// than those are no difference, but another column of a declared table is.
  public func lacks(_ declared: DatabaseSchema) -> SchemaDifference {
    lacks(declared, ignoringColumnOrder: false)
  }

  func lacks(_ declared: DatabaseSchema, ignoringColumnOrder: Bool) -> SchemaDifference {
    let all = declared.difference(from: self)
    return SchemaDifference(
      added: all.added, removed: [],
      changed: all.changed.filter { !ignoringColumnOrder || !$0.isOnlyReordered })
  }
}
