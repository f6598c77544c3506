public import UndercroftFoundation

/// A backend that reads and writes values in chunks, so
/// that a large value is never in memory as a whole.
public protocol StreamingBackend: StorageBackend {
  /// Returns a reader at the first byte of the value under `key`, or `nil` if no value is stored.
  func reader(for key: String) throws(StorageError) -> (any StreamReader)?

  /// Returns a writer for a new value under `key`, which is not visible until the writer finishes.
  func writer(for key: String) throws(StorageError) -> any StreamWriter
}

/// A reader of one value in chunks, for use by only one thread or task.
public protocol StreamReader: AnyObject {
  /// The length of the whole value in bytes.
  var size: Int { get }

  /// Returns up to `count` of the next bytes, or `nil` at the end of the value.
  func read(upTo count: Int) throws(StorageError) -> Data?
}

/// A writer of one value in chunks, for use by only one thread or task.
///
/// If a writer is released without ``finish()``, the old
/// value remains and the written chunks are discarded.
public protocol StreamWriter: AnyObject {
  /// Appends a chunk of any length.
  func write(_ chunk: Data) throws(StorageError)

  /// Makes the value visible as a whole; the writer must not be used afterwards.
  func finish() throws(StorageError)
}
