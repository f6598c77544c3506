import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The open file of a journal: batches in the order in which they were acknowledged.
///
/// Bytes are only ever appended. What follows the last whole record is never overwritten: the
/// journal is replaced by a new file instead.
///
/// A batch whose write or flush failed is cut down to its first bytes. These bytes tell every opener,
/// of any process, to replace the journal before it writes. A state in memory would tell the one
/// opener that failed.
struct Journal: ~Copyable {
  let file: Descriptor
  /// Identifies the open file.
  let number: FileNumber
  /// The byte after the last record that was read, or written by this process.
  private(set) var end: Int
  /// What follows ``end``.
  private(set) var tail = RecordTail.none
  /// The last record before ``end``, or `nil` if there is none.
  private var last: RecordMark?
  /// Whether a flush of the file failed, so that its bytes on the disk are unknown.
  private(set) var hasFailedFlush = false
  /// Whether a failed batch is whole in the file, so that other openers read it as a sound one.
  private(set) var isUnmarked = false
  /// The size of the file when a damaged tail was found, so that it is not read again and again.
  private var examinedSize: Int?

  /// Whether it holds no batch.
  var isEmpty: Bool { end == Self.magic.count }

  /// The length of a torn tail that marks a failed write.
  private static let failedWriteMark = 2
  /// The length of a torn tail that marks a failed flush.
  ///
  /// A writer that was killed may leave such a tail too; then the mark costs a longer checkpoint.
  private static let failedFlushMark = 1

  static let magic: [UInt8] = Array("UNDJRNL1".utf8)

  /// Whether the file must be replaced before anything is written.
  var needsReplacement: Bool { tail != .none || hasFailedFlush }

  /// Opens a journal that exists; nothing is read yet.
  init(opening path: String, _ flags: Int32) throws(StorageError) {
    let file = try Descriptor(regularFile: path, flags | O_APPEND | O_NOFOLLOW)
    number = FileNumber(try file.status())
    self.file = consume file
    end = 0
  }

  /// Takes over what is known of the same file from when it was opened before.
  mutating func rememberFailure(_ hasFailed: Bool, of number: FileNumber) {
    if hasFailed, number == self.number { hasFailedFlush = true }
  }

  /// Puts an empty journal in place of the one at `path`, or where none was.
  static func replace(at path: String) throws(StorageError) {
    try ReplacementFile.write(Data(magic), to: path)
  }

  /// Reads on from ``end``, passes every change to `body`, and sets ``tail``.
  ///
  /// - Parameter recovering: whether a damaged record ends the reading. Otherwise it throws, and none
  ///   of the batches that were read counts as read.
  /// - Throws: ``StorageError/Code/corrupted``, naming the place, if the magic is damaged, or a record
  ///   and `recovering` is false.
  mutating func replay(
    recovering: Bool, _ body: (Change) -> Void
  ) throws(StorageError) {
    let size = Int(try file.status().st_size)
    guard size > end || end == 0, size != examinedSize else { return }
    let isNew = end == 0
    if isNew, try !file.read(Self.magic.count, at: 0).elementsEqual(Self.magic) {
      throw Self.corrupted(file.path, at: 0)
    }
    var scan = JournalScan(from: isNew ? Self.magic.count : end, upTo: size)
    try scan.run(through: file, body)
    let isExpected = recovering || tail.isDamaged
    guard isExpected || !scan.tail.isDamaged else {
      throw Self.corrupted(file.path, at: scan.offset)
    }
    end = scan.offset
    tail = scan.tail
    if tail == .torn, size == end + Self.failedFlushMark { hasFailedFlush = true }
    last = scan.last ?? last
    examinedSize = tail.isDamaged ? size : nil
  }

  /// Whether the last record is still where it was.
  ///
  /// Another opener whose flush failed cuts its record off, after this one may have read it. A
  /// record of the same length may have followed, from a version that did not replace the file.
  func isInPlace() throws(StorageError) -> Bool {
    guard let last else { return true }
    return try file.read(JournalRecord.headerSize, at: last.offset).withUnsafeBytes {
      $0.count == JournalRecord.headerSize && RecordMark($0, at: last.offset) == last
    }
  }

  /// Whether `path` still leads to the open file; one `stat` before every write.
  func isFile(at path: String) throws(StorageError) -> Bool {
    try FileNumber(at: path) == number
  }

  /// Writes one record at the end; after a failure no reader finds the record, and every opener finds
  /// a torn tail.
  mutating func append(_ record: [UInt8], _ durability: Durability) throws(StorageError) {
    let failure = record.withUnsafeBytes { bytes -> StorageError? in
      do throws(StorageError) { try file.write(bytes) } catch { return error }
      return nil
    }
    if let failure {
      if (try? file.status().st_size) != off_t(end) {
        leaveTail(of: Self.failedWriteMark, behind: record.count)
      }
      throw failure
    }
    if durability == .powerLoss { try flush(behind: record.count) }
    last = record.withUnsafeBytes { RecordMark($0, at: end) }
    end += record.count
  }

  /// Waits until all records are on the disk; after a failure every opener knows of it.
  ///
  /// - Parameter count: the size of a record behind ``end`` that is flushed with the others.
  mutating func flush(behind count: Int = 0) throws(StorageError) {
    do throws(StorageError) {
      try file.synchronize()
    } catch {
      hasFailedFlush = true
      // A damaged tail is preserved as it is, and makes every opener replace the file as well.
      if !tail.isDamaged { leaveTail(of: Self.failedFlushMark, behind: count) }
      throw error
    }
  }

  /// Makes what follows ``end`` a torn tail of `count` bytes.
  ///
  /// Nothing may be appended to this file any more. If the power failed before the cut is on the
  /// disk, the rest of the old record would follow the appended one. After a failed flush the disk
  /// may lack any earlier record, and readers would not get past that place.
  ///
  /// - Parameter recordSize: the size of the failed record, or 0 if none was written.
  private mutating func leaveTail(of count: Int, behind recordSize: Int) {
    tail = .torn
    do throws(StorageError) {
      try file.truncate(to: end + count)
    } catch {
      // A part of a record is a torn tail, which one more byte could make a whole record or a
      // damaged one. Behind a whole record that cannot be cut off a single byte is a torn tail.
      guard (try? file.status().st_size) == off_t(end + recordSize) else { return }
      do throws(StorageError) { try file.write(Data([0])) } catch { isUnmarked = true }
    }
  }

  private static func corrupted(_ path: String, at offset: Int) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): the journal is damaged at byte \(offset)",
      cure: offset == 0
        ? "restore it from a backup; nothing was changed"
        : "open the store again to recover the batches before the damage")
  }
}
