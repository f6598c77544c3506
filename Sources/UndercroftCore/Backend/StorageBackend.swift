public import UndercroftFoundation

/// A store of bytes under names.
///
/// A backend is synchronous, and can be called from any thread. Its callers check names first: a
/// name is not empty, has at most 255 bytes of UTF-8, contains no NUL, and is in Unicode
/// normalisation form C. A backend declares its further guarantees in ``capabilities``. The
/// conformance tests of `UndercroftTesting` verify these guarantees.
public protocol StorageBackend: Sendable {
  /// The short name for error messages and the inspector, such as "gdbm".
  var name: String { get }

  /// The location of the store, or `nil` if the store is only in memory.
  var location: URL? { get }

  /// The guarantees of this backend beyond ``read(_:)``, ``apply(_:)`` and ``keys(withPrefix:)``.
  var capabilities: Capabilities { get }

  /// Returns the bytes stored under `key`, or `nil` if there are none.
  func read(_ key: String) throws(StorageError) -> Data?

  /// Applies all changes in order.
  ///
  /// If a change fails, a backend with ``Capabilities/atomicBatches`` has applied no
  /// change, and any other backend has applied exactly the changes before the failed one.
  func apply(_ changes: [StorageChange]) throws(StorageError)

  /// Returns the keys that begin with `prefix`.
  ///
  /// With ``Capabilities/orderedKeys``, the keys are in the order
  /// of their UTF-8 bytes; otherwise the order is undefined.
  func keys(withPrefix prefix: String) throws(StorageError) -> [String]
}
