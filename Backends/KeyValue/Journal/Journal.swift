import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The open file of a journal: batches in the order in which they were acknowledged.
struct Journal: ~Copyable {
  let file: Descriptor
  /// Up to where its records have been read, or written by this process.
  private(set) var end: Int
  /// Whether bytes of a failed batch may stand after ``end``.
  private var hasRest = false

  /// Whether it holds no batch.
  var isEmpty: Bool { end == Self.magic.count }

  static let magic: [UInt8] = Array("UNDJRNL1".utf8)

  /// Opens a journal that exists; nothing is read yet.
  init(opening path: String, _ flags: Int32) throws(StorageError) {
    file = try Descriptor(regularFile: path, flags | O_APPEND | O_NOFOLLOW)
    end = 0
  }

  /// Puts an empty journal in place of the one at `path`, or where none was.
  static func replace(at path: String) throws(StorageError) {
    try ReplacementFile.write(Data(magic), to: path)
  }

  /// Reads on from ``end`` and hands every batch to `body`.
  ///
  /// - Returns: whether the file ends in the middle of a record.
  /// - Throws: ``StorageError/Code/corrupted``, naming the place, when bytes were changed after they were written.
  mutating func replay(_ body: (Change) -> Void) throws(StorageError) -> Bool {
    let size = Int(try file.status().st_size)
    guard size > end || end == 0 else { return false }
    let base = end
    let bytes = try file.read(size - base, at: base)
    var offset = 0
    if base == 0 {
      guard bytes.starts(with: Self.magic) else { throw Self.corrupted(file.path, at: 0) }
      offset = Self.magic.count
    }
    var isCutOff = false
    var damage: Int?
    bytes.withUnsafeBytes { bytes in
      scan: while offset < bytes.count {
        switch JournalRecord.decode(bytes, at: offset, from: base) {
        case .record(let changes, let next):
          for change in changes { body(change) }
          offset = next
        case .cutOff:
          isCutOff = true
          break scan
        case .damaged:
          damage = base + offset
          break scan
        }
      }
    }
    // Batches before the damage were not taken in: they must be found again once it is mended.
    if let damage { throw Self.corrupted(file.path, at: damage) }
    end = base + offset
    return isCutOff
  }

  /// Writes one record at the end; after a failure the file is as before.
  mutating func append(_ record: [UInt8], _ durability: Durability) throws(StorageError) {
    if hasRest { try cut() }
    do throws(StorageError) {
      hasRest = true
      let failure = record.withUnsafeBytes { bytes -> StorageError? in
        do throws(StorageError) { try file.write(bytes) } catch { return error }
        return nil
      }
      if let failure { throw failure }
      if durability == .powerLoss { try file.synchronize() }
      hasRest = false
    } catch {
      try? cut()
      throw error
    }
    end += record.count
  }

  /// Removes what stands after ``end``: the rest of a batch that was never acknowledged.
  mutating func cut() throws(StorageError) {
    guard ftruncate(file.raw, off_t(end)) == 0 else { throw .system("cut", file.path) }
    hasRest = false
  }

  private static func corrupted(_ path: String, at offset: Int) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): the journal is damaged at byte \(offset)",
      cure: "restore it from a backup; nothing was changed")
  }
}
