import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection
import UndercroftKeyValue

/// The open files of a GDBM store: the GDBM file, and the journal with the changes since the file
/// was written, if this toolkit made the store.
struct GDBMFiles: Sendable {
  let reader: GDBMFileReader
  let journal: InspectedJournal?

  /// Opens the files.
  ///
  /// A checkpoint replaces the GDBM file first and the journal later. The journal is therefore
  /// opened first, and both are opened again if the journal was replaced meanwhile.
  init(_ path: String) throws(StorageError) {
    for _ in 0..<100 {
      let journal = try InspectedJournal(besideSnapshot: path)
      let reader = try GDBMFileReader(path)
      if let journal, try !journal.isInPlace() { continue }
      self.reader = reader
      self.journal = journal
      return
    }
    throw try GDBMFileReader(path).busy()
  }

  /// Returns whether the paths still name the open files, and the journal has no new changes.
  func isCurrent() throws(StorageError) -> Bool {
    guard reader.isInPlace else { return false }
    guard let journal else {
      return try !Folder.hasEntry(at: InspectedJournal.path(ofSnapshot: reader.path))
    }
    return try journal.isCurrent()
  }

  /// Calls `body` with each entry whose name begins with `prefix`, until `body` returns `false`.
  func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    let changes = journal?.changes ?? [:]
    var needsMore = true
    try reader.forEachRecord { record in
      let name = GDBMKeyName(record.key)
      guard name.begins(with: prefix), !name.isChanged(by: changes) else { return true }
      needsMore = try body(
        InspectionEntry(
          name: name.spelling, byteCount: record.element.valueSize, nameBytes: name.bytes))
      return needsMore
    }
    for (name, value) in changes where needsMore && name.begins(with: prefix) {
      guard let value else { continue }
      needsMore = try body(InspectionEntry(name: name.text, byteCount: value.count))
    }
  }

  /// Calls `body` with the name and the bytes of each entry whose name begins with `prefix`, until
  /// `body` returns `false`.
  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    let changes = journal?.changes ?? [:]
    var needsMore = true
    try reader.forEachRecord { record in
      let name = GDBMKeyName(record.key)
      guard name.begins(with: prefix), !name.isChanged(by: changes),
        let bytes = try reader.value(of: record)
      else { return true }
      needsMore = try body(name.spelling, bytes)
      return needsMore
    }
    for (name, value) in changes where needsMore && name.begins(with: prefix) {
      if let value { needsMore = try body(name.text, value) }
    }
  }

  /// Calls `body` with the name of each entry whose name begins with `prefix`, and with the bytes
  /// of the values that fulfil `filter`, until `body` returns `false`.
  func forEachName(
    withPrefix prefix: String, matching filter: ValueFilter,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    let changes = journal?.changes ?? [:]
    var searcher = ByteSearcher(filter.pattern)
    var needsMore = true
    func pass(_ name: String, _ bytes: Data) throws {
      let isNeeded =
        searcher.offset(in: bytes) != nil || filter.includesGzipData && GzipData.isOne(bytes)
      needsMore = try body(name, isNeeded ? bytes : nil)
    }
    try reader.forEachRecord(matching: filter) { record in
      let name = GDBMKeyName(record.key)
      guard name.begins(with: prefix), !name.isChanged(by: changes) else { return true }
      if !record.mayBeNeeded {
        needsMore = try body(name.spelling, nil)
      } else if let bytes = try reader.value(of: record) {
        // An entry may have been removed since its key was read.
        try pass(name.spelling, bytes)
      }
      return needsMore
    }
    for (name, value) in changes where needsMore && name.begins(with: prefix) {
      if let value { try pass(name.text, value) }
    }
  }

  /// Returns the bytes of one entry, or `nil` if there is none.
  func bytes(of name: String) throws(StorageError) -> Data? {
    if let value = journal?.changes[name.exact] { return value }
    for key in GDBMKeyName.keys(named: name) {
      if let value = try reader.value(forKey: key) { return value }
    }
    return nil
  }

  /// Returns the bytes of the entry whose key is exactly `name`, or `nil` if there is none.
  func bytes(ofName name: Data) throws(StorageError) -> Data? {
    if let text = String(validating: name, as: UTF8.self), let value = journal?.changes[text.exact]
    {
      return value
    }
    return try reader.value(forKey: name)
  }
}
