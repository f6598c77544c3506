public import UndercroftSync

extension SyncedTable {
  /// The tables of a catalogue that are synchronised, with their policies.
  ///
  /// The columns of a saved search depend on each other. If two catalogues change the same saved
  /// search, the later change therefore replaces the whole row.
  public static let shelf = [
    SyncedTable("note"),
    SyncedTable("saved_search", policy: TablePolicy(.lastWriterWinsRecord)),
  ]
}
