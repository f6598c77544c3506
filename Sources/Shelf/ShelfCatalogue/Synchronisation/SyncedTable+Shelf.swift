public import UndercroftSync

extension SyncedTable {
  /// The tables that two catalogues exchange, for the sync engines and for the server.
  ///
  /// The columns of a saved search depend on each other. If two catalogues change the same saved
  /// search, the later change therefore replaces the whole row.
  public static let shelf = [
    SyncedTable("note"),
    SyncedTable("saved_search", policy: TablePolicy(.lastWriterWinsRecord)),
  ]
}
