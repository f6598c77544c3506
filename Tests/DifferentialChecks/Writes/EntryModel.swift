/// The rows of ``Entry`` and of the tables that refer to it, with the rules of the schema.
struct EntryModel: Equatable {
  private(set) var entries: [Entry] = []
  var lines: [Line] = []
  var loose: [Loose] = []

  init(entries: [Entry] = [], lines: [Line] = [], loose: [Loose] = []) {
    (self.entries, self.lines, self.loose) = (entries, lines, loose)
  }

  func row(_ id: Int64?) -> Entry? { id.flatMap { id in entries.first { $0.id == id } } }

  func row(code: String) -> Entry? {
    entries.first { Collation.noCase.order($0.code, code) == 0 }
  }

  /// Returns the entry with the values that the table would store, or throws if a constraint
  /// rejects the entry.
  static func kept(_ entry: Entry) throws(Refusal) -> Entry {
    guard (0...20).contains(entry.n) else { throw Refusal(reason: "n is out of range") }
    var kept = entry
    kept.note = entry.note ?? "-"
    kept.doubled = entry.n * 2
    return kept
  }

  mutating func insert(_ entry: Entry) throws(Refusal) -> Entry {
    var kept = try Self.kept(entry)
    if row(entry.id) != nil { throw Refusal(reason: "the key is in use") }
    if row(code: entry.code) != nil { throw Refusal(reason: "the code is in use") }
    kept.id = entry.id ?? (entries.compactMap(\.id).max() ?? 0) + 1
    entries.append(kept)
    entries.sort { ($0.id ?? 0) < ($1.id ?? 0) }
    return kept
  }

  /// Inserts an entry after deleting the entries with the same key or code, and the rows that refer
  /// to them.
  mutating func replace(_ entry: Entry) throws(Refusal) -> Entry {
    _ = try Self.kept(entry)
    // SQLite chooses the key before it replaces rows.
    var replacing = entry
    replacing.id = entry.id ?? (entries.compactMap(\.id).max() ?? 0) + 1
    delete { $0.id == entry.id || Collation.noCase.order($0.code, entry.code) == 0 }
    return try insert(replacing)
  }

  /// Changes all chosen rows, or none of them, and returns the rows with their stored values.
  @discardableResult
  mutating func update(
    _ chosen: (Entry) -> Bool, _ change: (inout Entry) -> Void
  ) throws(Refusal) -> [Entry] {
    var written: [Entry] = []
    for place in entries.indices where chosen(entries[place]) {
      var changed = entries[place]
      change(&changed)
      changed = try Self.kept(changed)
      if let other = row(code: changed.code), other.id != changed.id {
        throw Refusal(reason: "the code is in use")
      }
      entries[place] = changed
      written.append(changed)
    }
    return written
  }

  @discardableResult
  mutating func delete(_ chosen: (Entry) -> Bool) -> Int {
    let gone = Set(entries.filter(chosen).compactMap(\.id))
    entries.removeAll { $0.id.map(gone.contains) ?? false }
    lines.removeAll { gone.contains($0.entryID) }
    for place in loose.indices where loose[place].entryID.map(gone.contains) ?? false {
      loose[place].entryID = nil
    }
    return gone.count
  }

  /// Returns the row with the same code, if `byCode` is `true` and there is one, or else the row
  /// with the same key.
  func match(_ entry: Entry, byCode: Bool) -> Entry? {
    (byCode ? row(code: entry.code) : nil) ?? row(entry.id)
  }

  mutating func upsert(
    _ entry: Entry, byCode: Bool, _ change: (inout Entry) -> Void
  ) throws(Refusal) -> Entry {
    guard let found = match(entry, byCode: byCode) else { return try insert(entry) }
    let written = try update({ $0.id == found.id }, change)
    return written.first ?? found
  }
}
