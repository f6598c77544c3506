/// The keys of the last dictionaries that have been opened.
///
/// The elements of an array usually have the same keys, which need not be read again.
struct RecentKeys {
  private static let capacity = 4

  private var entries: [(range: ElementRange, keys: KeyTable)] = []
  private var next = 0

  /// Returns the keys of a dictionary.
  mutating func table(
    of range: ElementRange, in list: DecodedList
  ) throws(PropertyListError) -> KeyTable {
    for entry in entries where hasSameKeys(entry, range, in: list) { return entry.keys }
    let keys = try KeyTable(range, in: list)
    if entries.count < Self.capacity {
      entries.append((range, keys))
    } else {
      entries[next] = (range, keys)
      next = (next + 1) % Self.capacity
    }
    return keys
  }

  private func hasSameKeys(
    _ entry: (range: ElementRange, keys: KeyTable), _ range: ElementRange, in list: DecodedList
  ) -> Bool {
    switch list.content {
    // The keys of a binary property list are usually the same objects.
    case .binary(let list): list.haveSameKeys(entry.range, range)
    case .xml: entry.keys.hasSameKeys(as: range, in: list)
    }
  }
}
