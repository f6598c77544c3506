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
  /// Up to where the records have been read.
  private(set) var end: Int
  private var number: UInt64 = 0
  private var lastTag = Data()
  private var sizes: [String: Int] = [:]

  /// Opens the file at `path` with a key, and reads every record.
  static func open(
    _ path: String, _ unlock: VaultUnlock, flags: Int32
  ) throws(StorageError) -> VaultFile {
    let file = try Descriptor(opening: path, flags | O_NOFOLLOW | O_NONBLOCK)
    try PrivateFile.check(file)
    let bytes = try file.read(1 << 16, at: 0)
    let header = try VaultHeader(decoding: bytes, path: path)
    let keys = VaultKeys(try unlock.open(header, path: path))
    try header.verify(bytes, keys, path: path)
    var vault = VaultFile(file: file, header: header, keys: keys)
    _ = try vault.readOn()
    return vault
  }

  private init(file: consuming Descriptor, header: VaultHeader, keys: VaultKeys) {
    self.file = file
    self.header = header
    self.keys = keys
    end = header.size
  }

  /// Reads the records that were added since; returns whether the last one was cut off.
  mutating func readOn() throws(StorageError) -> Bool {
    let size = Int(try file.status().st_size)
    guard size > end else { return false }
    var rest = try file.read(size - end, at: end)
    while !rest.isEmpty {
      switch VaultRecord.find(in: rest) {
      case .cutOff: return true
      case .damaged: throw damaged
      case .record(let size):
        let record = Data(rest.prefix(size))
        let place = nextPlace
        guard let changes = VaultRecord.open(record, keys, at: place) else {
          // What a power cut leaves of the last record ends in a blank page.
          let isLast = size == rest.count
          if isLast, size > 4_096, rest.suffix((end + size - 1) % 4_096 + 1).allSatisfy({ $0 == 0 })
          {
            return true
          }
          throw damaged
        }
        note(changes, Location(offset: end, size: size, place: place), VaultRecord.tag(of: record))
        rest = rest.dropFirst(size)
      }
    }
    return false
  }

  private var nextPlace: VaultPlace {
    VaultPlace(vault: header.id, epoch: header.epoch, number: number, previous: lastTag)
  }

  private mutating func note(_ changes: [Change], _ location: Location, _ tag: Data) {
    for change in changes {
      switch change {
      case .set(let name, let bytes):
        index[name] = location
        sizes[name] = bytes.count
      case .remove(let name):
        index[name] = nil
        sizes[name] = nil
      }
    }
    end = location.offset + location.size
    number += 1
    lastTag = tag
  }

  /// The size of a value in bytes.
  func size(of name: String) -> Int? { sizes[name] }

  /// Bytes that values, sealed one by one, would need; the rest of the file is of the past.
  var liveByteCount: Int { sizes.reduce(0) { $0 + $1.value + $1.key.utf8.count + 300 } }

  func read(_ name: String) throws(StorageError) -> Data? {
    guard let location = index[name] else { return nil }
    let record = try file.read(location.size, at: location.offset)
    guard record.count == location.size,
      let changes = VaultRecord.open(record, keys, at: location.place)
    else { throw damaged }
    for case .set(name, let bytes) in changes.reversed() { return bytes }
    throw damaged
  }

  /// Seals a batch at the end and flushes it; after a failure the file is as before.
  mutating func append(_ changes: [Change]) throws(StorageError) {
    let place = nextPlace
    let record = try VaultRecord.seal(changes, keys, at: place)
    do throws(StorageError) {
      try cut()
      guard lseek(file.raw, off_t(end), SEEK_SET) >= 0 else { throw .system("write", file.path) }
      try file.write(record)
      try file.synchronize()
    } catch {
      try? cut()
      throw error
    }
    note(
      changes, Location(offset: end, size: record.count, place: place), VaultRecord.tag(of: record))
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
    var place = VaultPlace(vault: header.id, epoch: header.epoch, number: 0, previous: Data())
    for name in index.keys.sorted() {
      guard let bytes = try read(name) else { continue }
      let record = try VaultRecord.seal([.set(name, bytes)], keys, at: place)
      try replacement.file.write(record)
      place = VaultPlace(
        vault: header.id, epoch: header.epoch, number: place.number + 1,
        previous: VaultRecord.tag(of: record))
    }
    try replacement.commit()
  }

  private var damaged: StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(file.path)): the record at byte \(end) is damaged",
      cure: "restore the vault from a backup; nothing was changed")
  }
}
