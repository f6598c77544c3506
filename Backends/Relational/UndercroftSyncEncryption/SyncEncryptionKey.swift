import Crypto
public import UndercroftCore
public import UndercroftFoundation

/// A key with which the replicas of a scope encrypt values: 256 random bits and a number.
///
/// The application stores its keys, for example as secrets, and transports them to the devices of
/// its users over a channel that the server cannot read. The library neither stores nor sends keys.
public struct SyncEncryptionKey: Sendable, Hashable {
  /// The number of bytes of a key.
  public static let byteCount = 32

  /// The number of the key, which is sent with each value.
  ///
  /// New values are encrypted with the key that has the greatest number.
  public let number: UInt32
  /// The secret bytes.
  public let bytes: Data

  /// Creates a key from stored bytes.
  ///
  /// - Parameters:
  ///   - number: the number of the key in its scope, at least 1.
  ///   - bytes: 32 random bytes, not a passphrase.
  /// - Throws: ``StorageError/Code/misuse`` if `number` is 0 or `bytes` does not contain 32 bytes.
  public init(number: UInt32, bytes: Data) throws(StorageError) {
    guard number > 0, bytes.count == Self.byteCount else {
      throw StorageError(
        .misuse,
        "cannot create the encryption key \(number): "
          + (number > 0
            ? "the key has \(bytes.count) bytes, but a key must have \(Self.byteCount) bytes"
            : "the number of a key must be at least 1"),
        suggestion: "pass a number of at least 1, and \(Self.byteCount) random bytes",
        backend: "sync")
    }
    self.number = number
    self.bytes = bytes
  }

  private init(random number: UInt32) {
    self.number = number
    bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
  }

  /// Returns a new key with random bytes.
  ///
  /// - Parameter number: the number of the key in its scope; 0 counts as 1.
  public static func random(number: UInt32) -> SyncEncryptionKey {
    SyncEncryptionKey(random: max(1, number))
  }
}

extension SyncEncryptionKey: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The number of the key, without the secret bytes.
  public var description: String { "encryption key \(number)" }

  /// The number of the key, without the secret bytes.
  public var debugDescription: String { description }

  /// A mirror without the secret bytes.
  public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}
