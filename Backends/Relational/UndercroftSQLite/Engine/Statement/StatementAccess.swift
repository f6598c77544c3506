import UndercroftCore

/// The tables and columns that one prepared statement and its triggers read and write.
final class StatementAccess {
  /// The columns that the statement reads, keyed by table.
  ///
  /// If the statement only counts the rows of a table, the only column of that table has an empty
  /// name.
  let reads: [ExactString: Set<ExactString>]
  let writes: [TableWrite]
  /// Whether the query plan was checked and accepted.
  var isPlanChecked = false
  /// Whether the statement reads a virtual table, or `nil` before the first check.
  var readsVirtualTable: Bool?
  /// Whether the statement reads a table of SQLite itself, such as `sqlite_schema`, or calls a
  /// function such as `pragma_table_info`.
  var readsSchema: Bool {
    reads.keys.contains { table in
      // The name of a database other than `main` precedes the name of a table.
      let name = table.text.folded.text.split(separator: ".").last ?? ""
      return name.hasPrefix("sqlite_") || name.hasPrefix("pragma_")
    }
  }
  /// The placeholders that must have a value before a run: one bit for each of the first 64
  /// placeholders.
  ///
  /// The value is `nil` before the first call of `Statement.bindingIndividually(_:)`.
  @exclusivity(unchecked) var needed: UInt64?
  /// The placeholders that have a value: one bit for each of the first 64 placeholders.
  // Only the thread that holds the connection accesses this property. The exclusivity check would
  // cost more than the binding.
  @exclusivity(unchecked) var bound: UInt64 = 0

  /// Whether compiled statements must be discarded after this statement, because this statement may
  /// have changed their effect.
  let changesSchema: Bool
  /// Whether the statement can be cached.
  ///
  /// A statement that changes the schema cannot be cached. A `PRAGMA` cannot be cached either,
  /// because a later run in another context may have to be refused.
  let isCacheable: Bool

  /// Whether the statement writes to the key-value table, directly or through a trigger; `false` if
  /// the statement is only explained.
  let writesEntries: Bool
  /// Whether a trigger of the statement writes to the key-value table.
  let writesEntriesByTrigger: Bool

  /// Whether the statement is `PRAGMA journal_mode` without a value.
  ///
  /// This statement only reads a setting, although SQLite reports the statement as writing.
  let onlyReadsJournalMode: Bool

  init(
    reads: [ExactString: Set<ExactString>], writes: [TableWrite], changesMeaning: Bool = false,
    hasPragma: Bool = false, onlyReadsJournalMode: Bool = false, isRun: Bool = true
  ) {
    self.onlyReadsJournalMode = onlyReadsJournalMode
    self.reads = reads
    self.writes = writes
    let entryWrites = isRun ? writes.filter { $0.table.folded == EntryTable.name } : []
    writesEntries = !entryWrites.isEmpty
    writesEntriesByTrigger = entryWrites.contains { $0.trigger != nil }
    changesSchema = changesMeaning || writes.contains { $0.operation.isSchemaChange }
    isCacheable = !changesSchema && !hasPragma
  }
}
