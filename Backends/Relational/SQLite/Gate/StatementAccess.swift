/// What one prepared statement reads and writes, triggers included.
final class StatementAccess {
  /// The columns read of each table; none for a table that is only counted.
  let reads: [String: Set<String>]
  let writes: [TableWrite]
  /// Whether its plan was looked at and found good.
  var isPlanChecked = false
  /// Its placeholders, a bit for each of the first 64; looked at when it is bound by hand for the first time.
  var placeholders: UInt64?
  /// The placeholders that must have a value before it is run: none unless it is bound by hand at present.
  var needed: UInt64 = 0
  /// Those that have one.
  var bound: UInt64 = 0

  /// Whether statements that are compiled already would read or write something else after it.
  let changesSchema: Bool

  init(reads: [String: Set<String>], writes: [TableWrite], changesMeaning: Bool = false) {
    self.reads = reads
    self.writes = writes
    changesSchema = changesMeaning || writes.contains { $0.operation.isSchemaChange }
  }
}
