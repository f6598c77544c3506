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
  /// Identifies the open file.
  let number: FileNumber
  let header: VaultHeader
  let keys: VaultKeys
  private(set) var index: [ExactString: Location] = [:]
  private var sizes: [ExactString: Int] = [:]
  /// The bytes of the records in ``index``.
  private var liveByteCount = 0
  private let headerTail: Data
  /// Where the last whole batch ends.
  private var tip: Tip
  /// What follows the last whole batch.
  private(set) var tail = RecordTail.none
  /// Whether a flush of the file failed, so that its bytes on the disk are unknown.
  private(set) var hasFailedFlush = false
  /// Whether a failed batch is whole in the file, so that other openers read it as a sound one.
  private(set) var isUnmarked = false

  /// Whether the file must be replaced before anything is written.
  var needsReplacement: Bool { tail != .none || hasFailedFlush }

  /// Takes over what is known of the same file from when it was opened before.
  mutating func rememberFailure(_ hasFailed: Bool, of number: FileNumber) {
    if hasFailed, number == self.number { hasFailedFlush = true }
  }

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

  /// The bytes of records that no longer hold: of values that were replaced or removed, and of removals.
  var obsoleteByteCount: Int { end - header.size - liveByteCount }

  /// What of the file was not recovered, or `nil` if it has no damaged record.
  var damage: StoreDamage? {
    guard case .damaged(let count) = tail else { return nil }
    return StoreDamage(path: file.path, offset: end, unrecoveredByteCount: count)
  }

  /// Whether what was read still ends as it did: a file restored in place is the same file with other records.
  func isInPlace() throws(StorageError) -> Bool {
    try file.read(16, at: end - 16) == (tip.lastTag.isEmpty ? headerTail : tip.lastTag)
  }

  /// Opens the vault at `path`.
  ///
  /// - Parameter recovering: whether a vault with a damaged record opens with the batches before it.
  static func open(
    _ path: String, _ unlock: VaultUnlock, flags: Int32, recovering: Bool
  ) throws(StorageError) -> VaultFile {
    let file = try Descriptor(opening: path, flags | O_NOFOLLOW | O_NONBLOCK)
    try PrivateFile.check(file)
    let bytes = try file.read(1 << 16, at: 0)
    let header = try VaultHeader(decoding: bytes, path: path)
    let keys = VaultKeys(try unlock.open(header, path: path))
    try header.verify(bytes, keys, path: path)
    let headerTail = Data(bytes.prefix(header.size).suffix(16))
    let number = FileNumber(try file.status())
    var vault = VaultFile(
      file: file, number: number, header: header, keys: keys, headerTail: headerTail)
    try vault.readOn(recovering: recovering)
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
    file: consuming Descriptor, number: FileNumber, header: VaultHeader, keys: VaultKeys,
    headerTail: Data
  ) {
    self.number = number
    self.headerTail = headerTail
    self.file = file
    self.header = header
    self.keys = keys
    tip = Tip(end: header.size)
  }

  /// Reads the batches that were added since, and sets ``tail``.
  ///
  /// Records are opened in their order, each authenticated with the tag of the record before it. So
  /// no record after a damaged one can be accepted.
  ///
  /// - Parameter recovering: whether a damaged record ends the reading; otherwise it throws.
  mutating func readOn(recovering: Bool) throws(StorageError) {
    let size = Int(try file.status().st_size)
    guard size > end, !tail.isDamaged else { return }
    var window = FileWindow(upTo: size)
    var reached = tip
    var found = RecordTail.none
    var batch: [(name: String, byteCount: Int?, location: Location)] = []
    while found == .none, reached.end < size {
      let bytes = try window.bytes(from: reached.end, atLeast: VaultRecord.headerSize, of: file)
      switch VaultRecord.find(in: bytes, of: size - reached.end) {
      case .torn: found = .torn
      case .unreadable:
        found = try unreadable(VaultRecord.headerSize, at: reached.end, upTo: size)
      case .record(let count):
        let location = Location(
          offset: reached.end, size: count, place: reached.place(in: header))
        guard let record = try record(at: location, in: &window),
          let entry = VaultRecord.open(record, keys, at: location.place, { entry, _ in entry })
        else {
          found = try unreadable(count, at: reached.end, upTo: size)
          continue
        }
        batch.append((entry.name, entry.value?.count, location))
        reached.pass(record)
        guard entry.isLast else { continue }
        for (name, byteCount, location) in batch { note(name, byteCount, location) }
        batch.removeAll()
        tip = reached
      }
    }
    if found.isDamaged {
      guard recovering else { throw damaged(at: reached.end) }
      // An unfinished batch before the damage does not hold either.
      found = .damaged(byteCount: size - end)
    }
    tail = found == .none && !batch.isEmpty ? .torn : found
  }

  /// Returns what a record is that cannot be read, and of which `count` bytes are known to belong
  /// to it.
  private func unreadable(
    _ count: Int, at offset: Int, upTo fileEnd: Int
  ) throws(StorageError) -> RecordTail {
    try .ofUnreadable(offset..<offset + count, of: file, upTo: fileEnd)
  }

  /// Returns the bytes of a record, or `nil` if they cannot be those of a sealed one.
  private func record(
    at location: Location, in window: inout FileWindow
  ) throws(StorageError) -> Data? {
    let range = location.offset..<location.offset + location.size
    // Verified before memory is allocated for it: in sealed bytes no page is blank.
    if range.count > FileWindow.capacity, try file.hasBlankPage(in: range) { return nil }
    let bytes = try window.bytes(from: range.lowerBound, atLeast: range.count, of: file)
    return bytes.count < range.count ? nil : Data(bytes.prefix(range.count))
  }

  /// Enters a change: the size of the new value, or `nil` when it is removed.
  private mutating func note(_ name: String, _ byteCount: Int?, _ location: Location) {
    let key = name.exact
    if let old = index[key] { liveByteCount -= old.size }
    if byteCount != nil { liveByteCount += location.size }
    index[key] = byteCount.map { _ in location }
    sizes[key] = byteCount
  }

  /// The size of a value in bytes.
  func size(of name: String) -> Int? { sizes[name.exact] }

  func read(_ name: String) throws(StorageError) -> Data? {
    guard let location = index[name.exact] else { return nil }
    let record = try file.read(location.size, at: location.offset)
    let bytes = VaultRecord.open(record, keys, at: location.place) { entry, plain -> Data? in
      entry.name.isExactly(name) ? entry.value.map { Data(plain[$0]) } : nil
    }
    guard record.count == location.size, let bytes, let bytes else {
      throw damaged(at: location.offset)
    }
    return bytes
  }

  /// Seals a batch at the end and flushes it; after a failure no reader finds the batch.
  ///
  /// Nothing may follow ``end``: see ``tail``.
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
      guard lseek(file.raw, off_t(end), SEEK_SET) >= 0 else { throw .system("write", file.path) }
      try file.write(bytes)
      hasFailedFlush = true
      try file.synchronize()
      hasFailedFlush = false
    } catch {
      if (try? file.status().st_size) != off_t(end) { withdraw(bytes.count) }
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

  /// Cuts the batch of `count` bytes whose write or flush failed down to its first byte.
  ///
  /// Readers ignore that byte, a torn tail. It tells every opener, of any process, to replace the
  /// file before it writes. Nothing may be appended to this file any more: if the power failed before
  /// the cut is on the disk, the rest of the batch would follow the appended one.
  private mutating func withdraw(_ count: Int) {
    tail = .torn
    do throws(StorageError) {
      try file.truncate(to: end + 1)
    } catch {
      // A part of a batch is a torn tail. Behind a whole batch that cannot be cut off a single byte
      // is one as well: no opener appends behind a batch that may not be on the disk.
      guard (try? file.status().st_size) == off_t(end + count) else { return }
      do throws(StorageError) { try file.write(Data([0])) } catch { isUnmarked = true }
    }
  }

  /// Puts a new file with the same values in this one's place, under a new epoch.
  func rewrite(_ path: String, _ keys: VaultKeys, slots: [VaultSlot]) throws(StorageError) {
    let (epoch, isOver) = header.epoch.addingReportingOverflow(1)
    guard !isOver else {
      throw StorageError(
        .corrupted, "cannot rewrite \(quoted(path)): its epoch is the last one",
        cure: "restore a backup, or copy the values into a new vault")
    }
    let header = try VaultHeader(id: header.id, epoch: epoch, slots: slots)
    let replacement = try ReplacementFile(of: path)
    try replacement.file.write(header.encode(keys))
    var reached = Tip(end: header.size)
    for name in index.keys.sorted().map(\.text) {
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
      cure: "open the vault again to recover the batches before it, or restore a backup")
  }
}
