import UndercroftCore
import UndercroftInspection

/// The assignment of imported entries to stores.
struct ImportPlan {
  let stores: [DiscoveredStore]
  /// The kind of entries that do not name their kind, or `nil` if there is only one store.
  let kind: String?
  /// Whether entries are stored even if an undo file expects other values.
  let overwrites: Bool

  /// Returns one edit for each store that the entries change.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` with the number of the line for an unknown
  ///   kind, an invalid name, or a name that occurs twice in a store; and the errors of opening a
  ///   store.
  func edits(of lines: EntryLines) throws -> [StoreEdit] {
    var edits: [ExactString: StoreEdit] = [:]
    var order: [ExactString] = []
    var numbers: [ExactString: [ExactString: Int]] = [:]
    for (number, entry) in lines.entries {
      let store = try store(of: entry, number, lines)
      let key = ExactString(store.kind ?? "")
      do {
        try store.check(name: entry.name)
      } catch {
        throw lines.invalid(number, error.failure, error)
      }
      let name = ExactString(entry.name)
      if let first = numbers[key]?[name] {
        throw lines.invalid(
          number, "the name \(quoted(entry.name)) occurs already in line \(first)")
      }
      numbers[key, default: [:]][name] = number
      if edits[key] == nil {
        edits[key] = try StoreEdit(of: store)
        order.append(key)
      }
      edits[key]?.changes.append(
        entry.bytes.map { .set(entry.name, $0) } ?? .remove(entry.name))
      if !overwrites { edits[key]?.replaced[name] = entry.replaces }
    }
    return order.compactMap { edits[$0] }
  }

  private func store(
    of entry: EntryLine, _ number: Int, _ lines: EntryLines
  ) throws(StorageError) -> DiscoveredStore {
    // A single store without a manifest has no kind, so it receives the entries of one kind.
    if stores.count == 1, let only = stores.first, only.kind == nil {
      let first = lines.entries.first?.entry.kind
      guard first.exact == entry.kind.exact else {
        throw lines.invalid(number, "a single store cannot receive entries of several kinds")
      }
      return only
    }
    let known = stores.compactMap(\.kind).joined(separator: ", ")
    guard let kind = entry.kind ?? kind ?? (stores.count == 1 ? stores.first?.kind : nil) else {
      throw lines.invalid(
        number, "the member \(quoted("kind")) is missing, and --kind is not one of: \(known)")
    }
    guard let store = stores.first(where: { $0.kind.exact == kind.exact }) else {
      throw lines.invalid(number, "the kind \(quoted(kind)) is not one of: \(known)")
    }
    return store
  }
}

extension String? {
  /// The string for a comparison of bytes, where `nil` equals only `nil`.
  fileprivate var exact: ExactString? { map { ExactString($0) } }
}
