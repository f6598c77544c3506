import UndercroftCore

/// What one prepared statement reads and writes, triggers included.
final class StatementAccess {
  /// The columns read of each table; none for a table that is only counted.
  let reads: [ExactString: Set<ExactString>]
  let writes: [TableWrite]
  /// Whether its plan was looked at and found good.
  var isPlanChecked = false
  /// Whether it reads a virtual table; not known until somebody asks.
  var readsVirtualTable: Bool?
  /// The placeholders that must have a value before it is run: a bit for each of the first 64; not known until it is first bound by hand.
  @exclusivity(unchecked) var needed: UInt64?
  /// Those that have one.
  // Without a check that costs more than the binding: only the thread that has the connection comes here.
  @exclusivity(unchecked) var bound: UInt64 = 0

  /// Whether statements that are compiled already would read or write something else after it.
  let changesSchema: Bool
  /// Whether it may be kept to be run again: not a `PRAGMA`, which may be refused when it comes again in another place.
  let mayBeKept: Bool

  /// Whether it writes to the table of names and values, by itself or through a trigger; `false` for
  /// a statement that is only explained.
  let writesEntries: Bool
  /// Whether a trigger that it runs writes to the table of names and values.
  let writesEntriesByTrigger: Bool

  /// Whether it only asks, although SQLite counts it among the statements that may write: `PRAGMA journal_mode`.
  let isQuestion: Bool

  init(
    reads: [ExactString: Set<ExactString>], writes: [TableWrite], changesMeaning: Bool = false,
    hasPragma: Bool = false, isQuestion: Bool = false, isRun: Bool = true
  ) {
    self.isQuestion = isQuestion
    self.reads = reads
    self.writes = writes
    let entryWrites = isRun ? writes.filter { $0.table.folded == EntryTable.name } : []
    writesEntries = !entryWrites.isEmpty
    writesEntriesByTrigger = entryWrites.contains { $0.trigger != nil }
    changesSchema = changesMeaning || writes.contains { $0.operation.isSchemaChange }
    mayBeKept = !changesSchema && !hasPragma
  }
}
