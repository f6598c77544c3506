/// The history of a replica's sealed operations: their number, the last operation, and a hash of
/// all operations.
///
/// A sealed operation has a sequence number.
///
/// Two copies of one file can have different histories that end with the same operation. Only the
/// hashes of these histories differ.
package struct OperationChain: Hashable, Sendable {
  /// The number of operations, which is the sequence number of the last operation.
  package private(set) var count: Int64
  /// The last operation, or `nil` if there is none.
  package private(set) var lastOperation: OperationIdentifier?
  /// The hash of all operations, or `nil` if there is none.
  package private(set) var hash: SHA256Digest?

  /// Creates the chain of a replica that has sealed no operation.
  package init() { self.init(count: 0, lastOperation: nil, hash: nil) }

  /// Creates a chain from its stored parts.
  package init(count: Int64, lastOperation: OperationIdentifier?, hash: SHA256Digest?) {
    self.count = count
    self.lastOperation = lastOperation
    self.hash = hash
  }

  /// Appends an operation: `hash(n) = SHA-256(hash(n - 1) ‖ identifier(n))`.
  ///
  /// The hash before the first operation is 32 zero bytes. Every input begins with exactly 32 bytes
  /// of a previous hash, so two different pairs of a hash and an identifier have different inputs.
  package mutating func append(_ operation: OperationIdentifier) {
    let previous = hash?.bytes ?? [UInt8](repeating: 0, count: SHA256Digest.byteCount)
    hash = SHA256Digest(of: previous + operation.text.utf8)
    lastOperation = operation
    // A count above this would need more operations than any replica can seal.
    count = count == .max ? .max : count + 1
  }
}
