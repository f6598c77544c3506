import UndercroftCore

/// The names and sizes of many entries in two buffers, without an object for each entry.
package struct EntryBuffer {
  private var names: NameBytes
  // The size of each value in bytes, or -1 if it is unknown.
  private var byteCounts: [Int] = []

  /// Creates an empty buffer with space for `capacity` entries.
  package init(capacity: Int = 0) {
    names = NameBytes(capacity: capacity)
    byteCounts.reserveCapacity(capacity)
  }

  /// Adds an entry with its name and the size of its value in bytes, or `nil` if the size is
  /// unknown.
  package mutating func append(_ name: String, byteCount: Int?) {
    names.append(name)
    byteCounts.append(byteCount ?? -1)
  }

  /// Calls `body` with each entry, sorted by name, until `body` returns `false`.
  package func forEachSorted(_ body: (InspectionEntry) throws -> Bool) rethrows {
    for position in names.order() {
      let byteCount = byteCounts[position] < 0 ? nil : byteCounts[position]
      let entry = InspectionEntry(name: names.name(at: position), byteCount: byteCount)
      guard try body(entry) else { return }
    }
  }
}
