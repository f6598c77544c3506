public import UndercroftSync

extension SyncedTable {
  /// The tables that two homes exchange, which both the engines and the server receive.
  ///
  /// The columns of a saved search depend on each other, so the later search wins as a whole.
  public static let shelf = [
    SyncedTable("note"),
    SyncedTable("saved_search", policy: TablePolicy(.lastWriterWinsRecord)),
  ]
}
