#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A backend that reads and writes values in chunks, so that none is ever whole in memory.
public protocol StreamingBackend: StorageBackend {
  /// Returns a reader at the first byte of the value under `key`, or `nil` when there is none.
  func reader(for key: String) throws(StorageError) -> (any StreamReader)?

  /// Returns a writer for a new value under `key`; nothing shows until it finishes.
  func writer(for key: String) throws(StorageError) -> any StreamWriter
}

/// Reads one value chunk by chunk; confined to the thread or task that asked for it.
public protocol StreamReader: AnyObject {
  /// The length of the whole value in bytes.
  var size: Int { get }

  /// Returns the next bytes, at most `count` of them, or `nil` at the end.
  func read(upTo count: Int) throws(StorageError) -> Data?
}

/// Writes one value chunk by chunk; confined to the thread or task that asked for it.
///
/// A writer that is dropped without ``finish()`` leaves the old value, and no trace of its own.
public protocol StreamWriter: AnyObject {
  /// Appends a chunk of any length.
  func write(_ chunk: Data) throws(StorageError)

  /// Makes the value visible as a whole; the writer is of no use afterwards.
  func finish() throws(StorageError)
}
