import UndercroftCore
import UndercroftInspection

extension [DiscoveredStore] {
  /// Returns the suggestion to select another kind, whose database has a table, or `nil` if there
  /// is no such kind.
  ///
  /// - Parameters:
  ///   - name: the name of the table, before which one of the selected kinds may be.
  ///   - selected: the selected kinds.
  func suggestion(ofTable name: String, outside selected: [String]) -> String? {
    let prefix = selected.map { $0 + "." }.first { name.utf8.starts(with: $0.utf8) } ?? ""
    let table = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    let kinds = filter { store in
      guard store.exists, let kind = store.kind, !selected.contains(kind) else { return false }
      return (try? store.open().tables(countingRows: false))?.table(named: table) != nil
    }.compactMap(\.kind)
    guard !kinds.isEmpty else { return nil }
    let names = kinds.map { quoted($0) }.joined(separator: ", ")
    return kinds.count == 1
      ? "the kind \(names) has the table \(quoted(table)); select it with --kind"
      : "the kinds \(names) have a table \(quoted(table)); select one of them with --kind"
  }
}
