import UndercroftCore

/// A store of named values that passes many entries in the order of their names without storing all
/// of them as separate strings.
package protocol OrderedStore: Inspectable {
  /// Calls `body` with each entry whose name begins with `prefix`, sorted by name, until `body`
  /// returns `false`.
  ///
  /// The default implementation stores the names and sizes of the entries in two buffers, and sorts
  /// them. If the store is damaged, the entries that can be read are passed before the error is
  /// thrown. A store that reads its entries in order should pass them one by one.
  ///
  /// - Throws: the errors of ``Inspectable/entries(withPrefix:)``, and any error that `body`
  ///   throws.
  func forEachSortedEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool) throws
}

extension OrderedStore {
  package func forEachSortedEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    var entries = EntryBuffer()
    var damage: StorageError?
    do {
      try forEachEntry(withPrefix: prefix) { entry in
        entries.append(entry.name, byteCount: entry.byteCount)
        return true
      }
    } catch let error as StorageError where error.code == .corrupted {
      damage = error
    }
    try entries.forEachSorted(body)
    // A damaged name could precede each name that was passed.
    if let damage { throw damage }
  }
}

extension OpenedStore {
  /// Calls `body` with each entry whose name begins with `wanted`, sorted by name, until `body`
  /// returns `false`.
  ///
  /// If a manifest specifies the kind of data, only entries of this kind are passed, and their
  /// names are without the prefix of the kind.
  package func forEachSortedEntry(
    withPrefix wanted: String = "", _ body: (InspectionEntry) throws -> Bool
  ) throws {
    guard let store = store as? any OrderedStore else {
      for entry in try entries(withPrefix: wanted) where try !body(entry) { return }
      return
    }
    try store.forEachSortedEntry(withPrefix: prefix + wanted) { entry in
      guard let entry = withoutPrefix(entry) else { return true }
      return try body(entry)
    }
  }
}
