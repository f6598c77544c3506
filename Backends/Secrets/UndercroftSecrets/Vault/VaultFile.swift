import Crypto
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The open file of a vault, with an index of the positions of all values, but not the values
/// themselves.
struct VaultFile: ~Copyable {
  /// The location of the record with the current value of a name.
  struct Location {
    let offset: Int
    let size: Int
    let position: RecordPosition
  }

  let file: Descriptor
  /// The identity of the open vault file.
  let identity: FileIdentity
  let header: VaultHeader
  let keys: DerivedVaultKeys
  private(set) var index: [ExactString: Location] = [:]
  private var sizes: [ExactString: Int] = [:]
  /// The total size of the records in ``index``, in bytes.
  private var liveByteCount = 0
  private let headerTail: Data
  /// The end of the last complete batch.
  private var tip: Tip
  /// The state of the bytes after the last complete batch.
  private(set) var tail = RecordTail.none
  /// Whether a flush of the file failed, so that the content of the file on the disk is unknown.
  private(set) var hasFailedFlush = false
  /// Whether a failed batch is complete in the file and could not be truncated,
  /// so that other instances of the vault accept the batch as valid.
  private(set) var isFailureUndetectable = false

  /// Whether the file must be replaced before anything is written.
  var needsReplacement: Bool { tail != .none || hasFailedFlush }

  /// Records that a flush of `file` failed before the vault was opened again.
  ///
  /// Does nothing if `hasFailed` is `false`, or if a file other than `file` is open now.
  mutating func recordFlushFailure(_ hasFailed: Bool, of file: FileIdentity) {
    if hasFailed, file == identity { hasFailedFlush = true }
  }

  /// A position between two records, with the number of
  /// the next record and the tag of the previous record.
  private struct Tip {
    var end: Int
    var number: UInt64 = 0
    var lastTag = Data()

    func position(in header: VaultHeader) -> RecordPosition {
      RecordPosition(vault: header.id, epoch: header.epoch, number: number, previous: lastTag)
    }

    mutating func advance(past record: Data) {
      end += record.count
      number += 1
      lastTag = VaultRecord.tag(of: record)
    }
  }

  /// The number of records of all complete batches.
  var recordCount: UInt64 { tip.number }

  /// The offset of the end of the last complete batch.
  var end: Int { tip.end }

  /// The total size, in bytes, of obsolete records: records
  /// of replaced or removed values, and records of removals.
  var obsoleteByteCount: Int { end - header.size - liveByteCount }

  /// The part of the file that was not recovered, or `nil` if no record is damaged.
  var damage: StoreDamage? {
    guard case .damaged(let count) = tail else { return nil }
    return StoreDamage(path: file.path, offset: end, unrecoveredByteCount: count)
  }

  /// Returns whether the 16 bytes before ``end`` are unchanged since they were read.
  ///
  /// These bytes are the tag of the last record, or the end of the
  /// header if there is no record. If a backup was restored into the
  /// same file, the bytes differ, although the inode number is the same.
  func isInPlace() throws(StorageError) -> Bool {
    try file.read(16, at: end - 16) == (tip.lastTag.isEmpty ? headerTail : tip.lastTag)
  }

  /// Opens the vault at `path`.
  ///
  /// - Parameter recovering: whether a vault with a damaged record is opened with the
  ///   batches before that record. If `false`, the call throws at a damaged record.
  static func open(
    _ path: String, _ unlocker: VaultUnlocker, flags: Int32, recovering: Bool
  ) throws(StorageError) -> VaultFile {
    let file = try Descriptor(opening: path, flags | O_NOFOLLOW | O_NONBLOCK)
    try PrivateFile.check(file)
    let bytes = try file.read(1 << 16, at: 0)
    let header = try VaultHeader(decoding: bytes, path: path)
    let keys = DerivedVaultKeys(try unlocker.open(header, path: path))
    try header.verify(bytes, keys, path: path)
    let headerTail = Data(bytes.prefix(header.size).suffix(16))
    let identity = FileIdentity(try file.status())
    var vault = VaultFile(
      file: file, identity: identity, header: header, keys: keys, headerTail: headerTail)
    try vault.readAppended(recovering: recovering)
    return vault
  }

  /// Derives the key for the vault at `path`, so that `unlocker` need not derive it when the vault
  /// is opened.
  static func prederiveKey(_ unlocker: VaultUnlocker, _ path: String) throws(StorageError) {
    let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try PrivateFile.check(file)
    let header = try VaultHeader(decoding: try file.read(1 << 16, at: 0), path: path)
    _ = try unlocker.open(header, path: path)
  }

  private init(
    file: consuming Descriptor, identity: FileIdentity, header: VaultHeader,
    keys: DerivedVaultKeys, headerTail: Data
  ) {
    self.identity = identity
    self.headerTail = headerTail
    self.file = file
    self.header = header
    self.keys = keys
    tip = Tip(end: header.size)
  }

  /// Reads the batches that were appended since the last call, and sets ``tail``.
  ///
  /// Records are decrypted in order, and each record is authenticated with the tag
  /// of the record before it. So no record after a damaged record can be accepted.
  ///
  /// - Parameter recovering: whether to accept the batches before a
  ///   damaged record. If `false`, the call throws at a damaged record.
  mutating func readAppended(recovering: Bool) throws(StorageError) {
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
          offset: reached.end, size: count, position: reached.position(in: header))
        guard let record = try record(at: location, in: &window),
          let entry = VaultRecord.open(record, keys, at: location.position, { entry, _ in entry })
        else {
          found = try unreadable(count, at: reached.end, upTo: size)
          continue
        }
        batch.append((entry.name, entry.value?.count, location))
        reached.advance(past: record)
        guard entry.isLast else { continue }
        for (name, byteCount, location) in batch { updateIndex(name, byteCount, location) }
        batch.removeAll()
        tip = reached
      }
    }
    if found.isDamaged {
      guard recovering else { throw damaged(at: reached.end) }
      // An incomplete batch before the damage is not committed either.
      found = .damaged(byteCount: size - end)
    }
    tail = found == .none && !batch.isEmpty ? .torn : found
  }

  /// Returns ``RecordTail/torn`` or ``RecordTail/damaged(byteCount:)``
  /// for the bytes from an unreadable record to the end of the file.
  ///
  /// - Parameter count: the minimum size of the record, in bytes.
  private func unreadable(
    _ count: Int, at offset: Int, upTo fileEnd: Int
  ) throws(StorageError) -> RecordTail {
    try .ofUnreadable(offset..<offset + count, of: file, upTo: fileEnd)
  }

  /// Returns the bytes of a record, or `nil` if the bytes cannot be an encrypted record.
  private func record(
    at location: Location, in window: inout FileWindow
  ) throws(StorageError) -> Data? {
    let range = location.offset..<location.offset + location.size
    // Check this before memory is allocated: encrypted bytes contain no page of zeros.
    if range.count > FileWindow.capacity, try file.hasBlankPage(in: range) { return nil }
    let bytes = try window.bytes(from: range.lowerBound, atLeast: range.count, of: file)
    return bytes.count < range.count ? nil : Data(bytes.prefix(range.count))
  }

  /// Updates the index for a change whose record is at `location`.
  ///
  /// - Parameter byteCount: the size of the new value, or `nil` for a removal.
  private mutating func updateIndex(_ name: String, _ byteCount: Int?, _ location: Location) {
    let key = name.exact
    if let old = index[key] { liveByteCount -= old.size }
    if byteCount != nil { liveByteCount += location.size }
    index[key] = byteCount.map { _ in location }
    sizes[key] = byteCount
  }

  /// Returns the size of a value in bytes, or `nil` if there is no such value.
  func size(of name: String) -> Int? { sizes[name.exact] }

  func read(_ name: String) throws(StorageError) -> Data? {
    guard let location = index[name.exact] else { return nil }
    let record = try file.read(location.size, at: location.offset)
    let bytes = VaultRecord.open(record, keys, at: location.position) { entry, plain -> Data? in
      entry.name.isExactly(name) ? entry.value.map { Data(plain[$0]) } : nil
    }
    guard record.count == location.size, let bytes, let bytes else {
      throw damaged(at: location.offset)
    }
    return bytes
  }

  /// Encrypts a batch, appends the batch to the file and flushes the file.
  ///
  /// After a failure, no reader accepts the batch, unless ``isFailureUndetectable`` is set. If
  /// ``needsReplacement`` is set, the file must be replaced before another batch is appended.
  mutating func append(_ changes: [StorageChange]) throws(StorageError) {
    var reached = tip
    var bytes = Data()
    var locations: [Location] = []
    for (number, change) in changes.enumerated() {
      let position = reached.position(in: header)
      let part = VaultBatch.Part(change: change, isLast: number == changes.count - 1)
      let record = try VaultRecord.seal(part, keys, at: position, of: file.path)
      locations.append(Location(offset: reached.end, size: record.count, position: position))
      reached.advance(past: record)
      bytes.append(record)
    }
    do throws(StorageError) {
      guard lseek(file.raw, off_t(end), SEEK_SET) >= 0 else { throw .system("write", file.path) }
      try file.write(bytes)
      hasFailedFlush = true
      try file.synchronize()
      hasFailedFlush = false
    } catch {
      if (try? file.status().st_size) != off_t(end) { truncateFailedBatch(bytes.count) }
      throw error
    }
    for (change, location) in zip(changes, locations) {
      if case .set(let name, let bytes) = change {
        updateIndex(name, bytes.count, location)
      } else {
        updateIndex(change.name, nil, location)
      }
    }
    tip = reached
  }

  /// Truncates a batch of `count` bytes, whose write or flush failed, to its first byte.
  ///
  /// Readers ignore the remaining byte as an incomplete batch. Because of this byte, every
  /// instance of the vault, in any process, replaces the file before the instance writes.
  /// No batch may be appended to this file: if the power failed before the truncation is
  /// on the disk, the rest of the failed batch would follow the appended batch.
  private mutating func truncateFailedBatch(_ count: Int) {
    tail = .torn
    do throws(StorageError) {
      try file.truncate(to: end + 1)
    } catch {
      // An incomplete batch is a torn tail. If a complete batch cannot be truncated, one byte after
      // it is a torn tail as well, so that no instance appends after a batch that may not be on the
      // disk.
      guard (try? file.status().st_size) == off_t(end + count) else { return }
      do throws(StorageError) { try file.write(Data([0])) } catch { isFailureUndetectable = true }
    }
  }

  /// Replaces the file at `path` with a new file that has the
  /// same values, the given keys and slots, and the next epoch.
  ///
  /// This value continues to refer to the old file.
  func rewrite(_ path: String, _ keys: DerivedVaultKeys, slots: [VaultSlot]) throws(StorageError) {
    let (epoch, isOver) = header.epoch.addingReportingOverflow(1)
    guard !isOver else {
      throw StorageError(
        .corrupted,
        """
        cannot rewrite \(quoted(path)): the epoch in the header, which counts the rewrites, has \
        reached the limit \(UInt64.max)
        """,
        suggestion: "restore the vault from a backup, or copy the values into a new vault")
    }
    let header = try VaultHeader(id: header.id, epoch: epoch, slots: slots, path: path)
    let replacement = try ReplacementFile(of: path)
    try replacement.file.write(header.encode(keys))
    var reached = Tip(end: header.size)
    for name in index.keys.sorted().map(\.text) {
      guard let bytes = try read(name) else { continue }
      let part = VaultBatch.Part(change: .set(name, bytes), isLast: true)
      let record = try VaultRecord.seal(
        part, keys, at: reached.position(in: header), of: path)
      try replacement.file.write(record)
      reached.advance(past: record)
    }
    try replacement.commit()
  }

  private func damaged(at offset: Int) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(file.path)): the record at byte \(offset) is damaged",
      suggestion: """
        open the vault again to recover the changes before the damaged record, or restore the \
        vault from a backup
        """)
  }
}
