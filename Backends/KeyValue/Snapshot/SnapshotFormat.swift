public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The form of the file at rest that a checkpoint writes whole.
public protocol SnapshotFormat: Sendable {
  /// The short name of stores of this form, used in error messages and addresses.
  var name: String { get }

  /// Whether a store should be checkpointed when it is closed, so that other tools find every value in the file.
  var isForOtherTools: Bool { get }

  /// Says whether a file that begins with these bytes, sixteen if there are so many, has this form.
  func recognises(_ start: [UInt8]) -> Bool

  /// Opens the snapshot at `path`, or returns `nil` where there is no file.
  func open(_ path: String) throws(StorageError) -> (any Snapshot)?

  /// Writes all entries to the file at `path`, which exists and is empty.
  func write(_ entries: SnapshotEntries, to path: String) throws(StorageError)
}

/// An open snapshot, which never changes.
public protocol Snapshot: AnyObject, Sendable {
  /// The number of entries.
  var count: Int { get }

  /// Returns the bytes under `name`, or `nil` when there are none.
  func read(_ name: String) throws(StorageError) -> Data?

  /// Returns the names that begin with `prefix`, in any order.
  func names(withPrefix prefix: String) throws(StorageError) -> [String]
}

/// What a checkpoint writes: names in the order of their UTF-8 bytes, and their values on demand.
public struct SnapshotEntries {
  /// All names.
  public let names: [String]

  /// Returns the bytes of one of the names.
  public let bytes: (String) throws(StorageError) -> Data

  init(names: [String], bytes: @escaping (String) throws(StorageError) -> Data) {
    self.names = names
    self.bytes = bytes
  }
}
