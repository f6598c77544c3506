import UndercroftCore
import UndercroftInspection

extension Problem {
  /// Creates the problem of a store whose values and rows were all read, although it is damaged.
  ///
  /// - Parameters:
  ///   - sentences: a sentence about each damage, of which the first one is shown.
  ///   - store: the store.
  init(damage sentences: [String], ofExported store: DiscoveredStore) {
    let first = (sentences.first ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
    let rest = sentences.count > 1 ? ", and \(sentences.count - 1) more" : ""
    self.init(
      store: store,
      error: StorageError(
        .corrupted,
        """
        cannot export \(quoted(store.path)) reliably: everything was read, but the store is \
        damaged: \(first)\(rest)
        """,
        suggestion: """
          run "undercroft check" with the path \(ShellText.shown(store.path)) to list the damage, \
          and compare the export with a backup
          """))
  }
}
