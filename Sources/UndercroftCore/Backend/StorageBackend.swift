#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps bytes under names, and nothing else.
///
/// A backend is synchronous and safe to call from any thread. Names arrive checked: not empty, at most
/// 255 bytes of UTF-8, no NUL, in Unicode normal form C. What a backend promises beyond the three methods it declares in
/// ``capabilities``; link `UndercroftTesting` and run its conformance checks to prove it.
public protocol StorageBackend: Sendable {
  /// The short name used in error messages and by the inspector, such as "gdbm".
  var name: String { get }

  /// Where the bytes are, or `nil` when they are nowhere but in memory.
  var location: URL? { get }

  /// What this backend promises beyond the three methods.
  var capabilities: Capabilities { get }

  /// Returns the bytes kept under `key`, or `nil` when there are none.
  func read(_ key: String) throws(StorageError) -> Data?

  /// Applies every change, in order.
  ///
  /// Without ``Capabilities/atomicBatches`` a failure leaves exactly the changes before it.
  func apply(_ changes: [Change]) throws(StorageError)

  /// Returns the keys that begin with `prefix`, in no promised order unless ``Capabilities/orderedKeys``
  /// is declared: then by their UTF-8 bytes.
  func keys(withPrefix prefix: String) throws(StorageError) -> [String]
}
