public import UndercroftCore
public import UndercroftFoundation

/// The file format of the snapshot of a ``JournalledBackend``; a checkpoint
/// writes the snapshot as a whole.
public protocol SnapshotFormat: Sendable {
  /// The short name of stores with this format, used in
  /// error messages and as the scheme of store addresses.
  var name: String { get }

  /// Whether a store is checkpointed when it is closed,
  /// so that other tools find every value in the snapshot.
  var isForOtherTools: Bool { get }

  /// The maximum size of one value in bytes, or `nil` if the format has no limit below 4 GiB.
  ///
  /// The journal limits a whole batch to 4 GiB. The store rejects a value that exceeds the maximum
  /// size before it writes the value to the journal.
  var maximumValueSize: Int? { get }

  /// Returns whether a file has this format.
  ///
  /// - Parameter start: the first sixteen bytes of the file, or all of them if there are fewer.
  func recognises(_ start: [UInt8]) -> Bool

  /// Reads all values of the snapshot at `path`, keyed by name, or returns `nil` if there is no
  /// file.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if any entry is damaged. Implementations must verify
  ///   every entry, because the caller does not verify entries.
  func read(_ path: String) throws(StorageError) -> [ExactString: Data]?

  /// Writes all values to the file at `path`, which exists and is empty.
  ///
  /// - Throws: ``StorageError/Code/tooLarge`` if the format cannot store a value;
  ///   ``StorageError/Code/full`` or ``StorageError/Code/io`` if writing fails.
  func write(_ values: [ExactString: Data], to path: String) throws(StorageError)
}

extension SnapshotFormat {
  public var maximumValueSize: Int? { nil }
}
