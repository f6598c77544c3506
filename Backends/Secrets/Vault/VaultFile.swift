import Crypto
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An open and unlocked vault: where each value is sealed, never the values themselves.
struct VaultFile: ~Copyable {
  /// Where the last value of a name is sealed.
  struct Location {
    let offset: Int
    let size: Int
    let place: VaultPlace
  }

  let file: Descriptor
  let header: VaultHeader
  let keys: VaultKeys
  private(set) var index: [String: Location] = [:]
  private var sizes: [String: Int] = [:]
  /// Bytes that values, sealed one by one, would need; the rest of the file is of the past.
  private(set) var liveByteCount = 0
  private let headerTail: Data
  /// Where the last whole batch ends.
  private var tip: Tip

  /// A place between two records.
  private struct Tip {
    var end: Int
    var number: UInt64 = 0
    var lastTag = Data()

    func place(in header: VaultHeader) -> VaultPlace {
      VaultPlace(vault: header.id, epoch: header.epoch, number: number, previous: lastTag)
    }

    mutating func pass(_ record: Data) {
      end += record.count
      number += 1
      lastTag = VaultRecord.tag(of: record)
    }
  }

  /// Up to where the file holds whole batches.
  var end: Int { tip.end }

  /// Whether what was read still ends as it did: a file restored in place is the same file with other records.
  func isInPlace() throws(StorageError) -> Bool {
    try file.read(16, at: end - 16) == (tip.lastTag.isEmpty ? headerTail : tip.lastTag)
  }

  static func open(
    _ path: String, _ unlock: VaultUnlock, flags: Int32
  ) throws(StorageError) -> VaultFile {
    let file = try Descriptor(opening: path, flags | O_NOFOLLOW | O_NONBLOCK)
    try PrivateFile.check(file)
    let bytes = try file.read(1 << 16, at: 0)
    let header = try VaultHeader(decoding: bytes, path: path)
    let keys = VaultKeys(try unlock.open(header, path: path))
    try header.verify(bytes, keys, path: path)
    let headerTail = Data(bytes.prefix(header.size).suffix(16))
    var vault = VaultFile(file: file, header: header, keys: keys, headerTail: headerTail)
    _ = try vault.readOn()
    return vault
  }

  /// Tries the key on the vault at `path`, so that `unlock` knows it when the vault is opened.
  static func warm(_ unlock: VaultUnlock, _ path: String) throws(StorageError) {
    let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try PrivateFile.check(file)
    let header = try VaultHeader(decoding: try file.read(1 << 16, at: 0), path: path)
    _ = try unlock.open(header, path: path)
  }

  private init(
    file: consuming Descriptor, header: VaultHeader, keys: VaultKeys, headerTail: Data
  ) {
    self.headerTail = headerTail
    self.file = file
    self.header = header
    self.keys = keys
    tip = Tip(end: header.size)
  }

  /// Reads the batches that were added since; returns whether the last one was cut off.
  mutating func readOn() throws(StorageError) -> Bool {
    let size = Int(try file.status().st_size)
    guard size > end else { return false }
    var rest = try file.read(size - end, at: end)
    var reached = tip
    var batch: [(name: String, byteCount: Int?, location: Location)] = []
    while !rest.isEmpty {
      guard case .record(let size) = try find(in: rest, at: reached) else { return true }
      let record = Data(rest.prefix(size))
      let location = Location(
        offset: reached.end, size: size, place: reached.place(in: header))
      let opened = VaultRecord.open(record, keys, at: location.place) { entry, _ in entry }
      guard let entry = opened else {
        if reachesBlankPages(rest, size, at: reached) { return true }
        throw damaged(at: reached.end)
      }
      batch.append((entry.name, entry.value?.count, location))
      reached.pass(record)
      rest = rest.dropFirst(size)
      guard entry.isLast else { continue }
      for (name, byteCount, location) in batch { note(name, byteCount, location) }
      batch.removeAll()
      tip = reached
    }
    return !batch.isEmpty
  }

  private func find(in rest: Data, at tip: Tip) throws(StorageError) -> VaultRecord.Finding {
    let finding = VaultRecord.find(in: rest)
    guard case .damaged = finding else { return finding }
    if reachesBlankPages(rest, VaultRecord.headerSize, at: tip) { return .cutOff }
    throw damaged(at: tip.end)
  }

  /// Says whether the first `count` bytes of `rest` reach into the pages that a power cut leaves blank up to the end of the file.
  private func reachesBlankPages(_ rest: Data, _ count: Int, at tip: Tip) -> Bool {
    let written = rest.lastIndex { $0 != 0 }.map { $0 - rest.startIndex + 1 } ?? 0
    return tip.end + count > (tip.end + written + 4_095) / 4_096 * 4_096
  }

  /// Takes in a change: the size of the new value, or `nil` when it is removed.
  private mutating func note(_ name: String, _ byteCount: Int?, _ location: Location) {
    let overhead = name.utf8.count + 300
    if let old = sizes[name] { liveByteCount -= old + overhead }
    if let byteCount { liveByteCount += byteCount + overhead }
    index[name] = byteCount.map { _ in location }
    sizes[name] = byteCount
  }

  /// The size of a value in bytes.
  func size(of name: String) -> Int? { sizes[name] }

  func read(_ name: String) throws(StorageError) -> Data? {
    guard let location = index[name] else { return nil }
    let record = try file.read(location.size, at: location.offset)
    let bytes = VaultRecord.open(record, keys, at: location.place) { entry, plain -> Data? in
      entry.name == name ? entry.value.map { Data(plain[$0]) } : nil
    }
    guard record.count == location.size, let bytes, let bytes else {
      throw damaged(at: location.offset)
    }
    return bytes
  }

  /// Seals a batch at the end and flushes it; after a failure the file is as before.
  mutating func append(_ changes: [Change]) throws(StorageError) {
    var reached = tip
    var bytes = Data()
    var places: [Location] = []
    for (number, change) in changes.enumerated() {
      let place = reached.place(in: header)
      let part = VaultBatch.Part(change: change, isLast: number == changes.count - 1)
      let record = try VaultRecord.seal(part, keys, at: place)
      places.append(Location(offset: reached.end, size: record.count, place: place))
      reached.pass(record)
      bytes.append(record)
    }
    do throws(StorageError) {
      try cut()
      guard lseek(file.raw, off_t(end), SEEK_SET) >= 0 else { throw .system("write", file.path) }
      try file.write(bytes)
      try file.synchronize()
    } catch {
      try? cut()
      throw error
    }
    for (change, location) in zip(changes, places) {
      if case .set(let name, let bytes) = change {
        note(name, bytes.count, location)
      } else {
        note(change.name, nil, location)
      }
    }
    tip = reached
  }

  /// Removes what a writer that died left after the last whole record.
  func cut() throws(StorageError) {
    guard Int(try file.status().st_size) != end else { return }
    guard ftruncate(file.raw, off_t(end)) == 0 else { throw .system("cut", file.path) }
  }

  /// Puts a new file with the same values in this one's place, under a new epoch.
  func rewrite(_ path: String, _ keys: VaultKeys, slots: [VaultSlot]) throws(StorageError) {
    let header = try VaultHeader(id: header.id, epoch: header.epoch + 1, slots: slots)
    let replacement = try ReplacementFile(of: path)
    try replacement.file.write(header.encode(keys))
    var reached = Tip(end: header.size)
    for name in index.keys.sorted() {
      guard let bytes = try read(name) else { continue }
      let part = VaultBatch.Part(change: .set(name, bytes), isLast: true)
      let record = try VaultRecord.seal(part, keys, at: reached.place(in: header))
      try replacement.file.write(record)
      reached.pass(record)
    }
    try replacement.commit()
  }

  private func damaged(at offset: Int) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(file.path)): the record at byte \(offset) is damaged",
      cure: "restore the vault from a backup; nothing was changed")
  }
}
