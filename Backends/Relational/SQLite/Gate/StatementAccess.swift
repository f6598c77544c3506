/// What one prepared statement reads and writes, triggers included.
final class StatementAccess {
  /// The columns read of each table; none for a table that is only counted.
  let reads: [String: Set<String>]
  let writes: [TableWrite]
  /// Whether its plan was looked at and found good.
  var isPlanChecked = false

  init(reads: [String: Set<String>], writes: [TableWrite]) {
    self.reads = reads
    self.writes = writes
  }

  var changesSchema: Bool { writes.contains { $0.operation.isSchemaChange } }
}
