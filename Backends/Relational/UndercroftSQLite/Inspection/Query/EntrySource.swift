import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// The entries of a store of named values, as a virtual table reads them.
final class EntrySource {
  /// The name of the table.
  let name: String
  /// The holder of the error that reading the store has thrown.
  let thrown: ThrownError
  private let store: OpenedStore
  private let deadline: QueryDeadline
  /// The entries of the last listing, with their common prefix.
  ///
  /// A join can read the whole table once for each row of another table.
  private var listing: (prefix: ExactString, entries: [InspectionEntry])?

  init(_ store: QueriedStore, _ thrown: ThrownError, _ deadline: QueryDeadline) {
    name = store.name
    self.store = store.store
    self.thrown = thrown
    self.deadline = deadline
  }

  /// The number of entries, or an estimate by the size of the store if they were not counted.
  var estimatedCount: Int { max(1, store.report.entryCount ?? store.report.byteCount / 100) }

  /// Returns the names and sizes of the entries whose names begin with `prefix`, in any order.
  ///
  /// - Throws: any error that the store throws, and ``StorageError/Code/interrupted`` if the time
  ///   limit is reached.
  func entries(withPrefix prefix: String) throws -> [InspectionEntry] {
    if let listing, listing.prefix == prefix.exact { return listing.entries }
    var entries: [InspectionEntry] = []
    try store.forEachEntry(withPrefix: prefix) { entry in
      // The progress handler of SQLite is not called while the store is read.
      if entries.count.isMultiple(of: 256) { try deadline.check() }
      entries.append(entry)
      return true
    }
    listing = (prefix.exact, entries)
    return entries
  }

  /// Returns the value of an entry, or `nil` if there is no such entry.
  ///
  /// - Throws: any error that the store throws, ``StorageError/Code/interrupted`` if the time limit
  ///   is reached, and ``StorageError/Code/misuse`` if the value is known to be too large.
  func value(of entry: InspectionEntry) throws -> Data? {
    try deadline.check()
    try QuerySizes.check(entry.byteCount, ofValue: entry.name, in: name)
    return try store.bytes(of: entry)
  }
}
