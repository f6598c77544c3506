import UndercroftCore
import UndercroftInspection

extension [DiscoveredStore] {
  /// Returns the suggestion to select another kind, whose database has a table, or `nil` if there
  /// is no such kind.
  ///
  /// - Parameters:
  ///   - name: the name of the table, before which the selected kind may be.
  ///   - kind: the selected kind.
  func suggestion(ofTable name: String, outside kind: String) -> String? {
    let prefix = kind + "."
    let hasPrefix = name.utf8.starts(with: prefix.utf8)
    let table =
      hasPrefix ? String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : name
    let kinds = filter { store in
      guard store.kind != kind, store.exists else { return false }
      return (try? store.open().tables(countingRows: false))?.table(named: table) != nil
    }.compactMap(\.kind)
    guard !kinds.isEmpty else { return nil }
    let names = kinds.map { quoted($0) }.joined(separator: ", ")
    return kinds.count == 1
      ? "the kind \(names) has the table \(quoted(table)); select it with --kind"
      : "the kinds \(names) have a table \(quoted(table)); select one of them with --kind"
  }
}
