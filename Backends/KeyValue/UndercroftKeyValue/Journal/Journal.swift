import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The open file of a journal, which contains batches in the order in which they were acknowledged.
///
/// Bytes are only appended. Bytes after the last whole record are never overwritten.
/// Instead, a new file replaces the journal.
///
/// If the write or the flush of a batch fails, the batch is truncated to its first one or two
/// bytes. An instance of the store, in any process, that reads these bytes replaces the journal
/// before it writes. A flag in memory would be visible only to the instance whose write failed.
struct Journal: ~Copyable {
  let file: Descriptor
  /// The identity of the open journal file.
  let identity: FileIdentity
  /// The offset after the last record that this instance of the store has read or written.
  private(set) var end: Int
  /// The kind of the bytes that follow ``end``.
  private(set) var tail = RecordTail.none
  /// The last record before ``end``, or `nil` if there is none.
  private var last: RecordIdentity?
  /// Whether a flush of the file failed, so that it is unknown which bytes are on the disk.
  private(set) var hasFailedFlush = false
  /// Whether a failed batch is complete in the file and cannot be truncated, so that other
  /// instances of the store read the batch as valid.
  private(set) var isFailureUndetectable = false
  /// The size of the file when a damaged tail was found, or `nil` if there is no damaged tail.
  ///
  /// While the file has this size, the tail is not read again.
  private var examinedSize: Int?

  /// Whether the journal contains no batch.
  var isEmpty: Bool { end == Self.magic.count }

  /// The length in bytes of the incomplete record that marks a failed write at the end of the file.
  private static let failedWriteTailSize = 2
  /// The length in bytes of the incomplete record that marks a failed flush at the end of the file.
  ///
  /// A killed writer may also leave an incomplete record of this length. The only consequence is
  /// that the next replacement of the journal takes longer than necessary.
  private static let failedFlushTailSize = 1

  static let magic: [UInt8] = Array("UNDJRNL1".utf8)

  /// Whether the file must be replaced before the next write.
  var needsReplacement: Bool { tail != .none || hasFailedFlush }

  /// Opens an existing journal without reading it.
  init(opening path: String, _ flags: Int32) throws(StorageError) {
    let file = try Descriptor(regularFile: path, flags | O_APPEND | O_NOFOLLOW)
    identity = FileIdentity(try file.status())
    self.file = consume file
    end = 0
  }

  /// Records that a flush of `file` failed before the journal was opened again.
  ///
  /// Does nothing if `hasFailed` is `false`, or if a file other than `file` is open now.
  mutating func recordFlushFailure(_ hasFailed: Bool, of file: FileIdentity) {
    if hasFailed, file == identity { hasFailedFlush = true }
  }

  /// Replaces the journal at `path` with an empty journal,
  /// or creates an empty journal if there is none.
  static func replace(at path: String) throws(StorageError) {
    try ReplacementFile.write(Data(magic), to: path)
  }

  /// Reads the records after ``end``, passes every change to `body`, and sets ``tail``.
  ///
  /// - Parameter recovering: whether to accept the batches before a damaged record. If
  ///   `false`, the call throws at a damaged record, and none of the batches counts as read.
  /// - Throws: ``StorageError/Code/corrupted`` with the offset, if the magic is damaged, or if a
  ///   record is damaged and `recovering` is false.
  mutating func replay(
    recovering: Bool, _ body: (StorageChange) -> Void
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
    if tail == .torn, size == end + Self.failedFlushTailSize { hasFailedFlush = true }
    last = scan.last ?? last
    examinedSize = tail.isDamaged ? size : nil
  }

  /// Returns whether the last record that was read is still at its offset.
  ///
  /// If flushing a record fails, another instance of the store removes the record by truncating
  /// the file, although this instance may already have read the record. The current version of the
  /// toolkit then replaces the file. Earlier versions continued to append to the file, so that
  /// another record of the same length may be at this offset.
  func isInPlace() throws(StorageError) -> Bool {
    guard let last else { return true }
    return try file.read(JournalRecord.headerSize, at: last.offset).withUnsafeBytes {
      $0.count == JournalRecord.headerSize && RecordIdentity($0, at: last.offset) == last
    }
  }

  /// Returns whether `path` still refers to the open file.
  ///
  /// Every write checks this with one system call.
  func isFile(at path: String) throws(StorageError) -> Bool {
    try FileIdentity(at: path) == identity
  }

  /// Appends one record.
  ///
  /// After a failure, no instance of the store reads the record as valid. If the file contains a
  /// part of the record, every instance finds a torn tail. The only exception is a failure that
  /// sets ``isFailureUndetectable``.
  mutating func append(_ record: [UInt8], _ durability: Durability) throws(StorageError) {
    let failure = record.withUnsafeBytes { bytes -> StorageError? in
      do throws(StorageError) { try file.write(bytes) } catch { return error }
      return nil
    }
    if let failure {
      if (try? file.status().st_size) != off_t(end) {
        leaveTail(of: Self.failedWriteTailSize, behind: record.count)
      }
      throw failure
    }
    if durability == .powerLoss { try flush(behind: record.count) }
    last = record.withUnsafeBytes { RecordIdentity($0, at: end) }
    end += record.count
  }

  /// Flushes all records to the disk.
  ///
  /// After a failure, every instance of the store can detect that the flush failed.
  ///
  /// - Parameter count: the size of a record after ``end`` that is
  ///   flushed with the earlier records, or 0 if there is none.
  mutating func flush(behind count: Int = 0) throws(StorageError) {
    do throws(StorageError) {
      try file.synchronize()
    } catch {
      hasFailedFlush = true
      // A damaged tail is preserved as it is, and makes every instance replace the file as well.
      if !tail.isDamaged { leaveTail(of: Self.failedFlushTailSize, behind: count) }
      throw error
    }
  }

  /// Truncates the file so that a torn tail of `count` bytes follows ``end``.
  ///
  /// No record may be appended to this file afterwards, for two reasons. If the power fails before
  /// the truncation is on the disk, the rest of the failed record would follow the appended record.
  /// If a flush has failed, an earlier record may be missing on the disk. After a power failure,
  /// readers would stop at this gap, and would not read the appended record.
  ///
  /// - Parameter recordSize: the size of the failed record, or 0 if none was written.
  private mutating func leaveTail(of count: Int, behind recordSize: Int) {
    tail = .torn
    do throws(StorageError) {
      try file.truncate(to: end + count)
    } catch {
      // A part of a record is already a torn tail. One more byte could make it a whole record, or a
      // damaged one. After a whole record that cannot be truncated, a single byte is a torn tail.
      guard (try? file.status().st_size) == off_t(end + recordSize) else { return }
      do throws(StorageError) { try file.write(Data([0])) } catch { isFailureUndetectable = true }
    }
  }

  static func corrupted(_ path: String, at offset: Int) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): the journal is damaged at byte \(offset)",
      suggestion: offset == 0
        ? "restore all files of the store from a backup; nothing was changed"
        : "open the store again to recover the changes before the damaged record")
  }
}
