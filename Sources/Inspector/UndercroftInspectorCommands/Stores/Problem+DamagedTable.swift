import UndercroftCore
import UndercroftInspection

extension Problem {
  /// Creates the problem of a table whose rows cannot be counted because of damage.
  init(damagedTable table: String, of store: DiscoveredStore) {
    self.init(
      store: store,
      error: StorageError(
        .corrupted, "cannot count the rows of the table \(quoted(table)): the table is damaged",
        suggestion: """
          run "undercroft check" with the path \(ShellText.shown(store.path)) to find the damage, \
          and restore the file from a backup
          """))
  }
}
