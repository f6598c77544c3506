import Crypto
import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A key with which an ``EncryptedBackend`` encrypts names and values.
public struct EncryptionKey: Sendable {
  private enum Source: Sendable {
    /// The path of the key file, or the error for a URL that is not a file URL.
    case keyFile(Result<String, StorageError>)
    case bytes(SymmetricKey)
  }

  private let source: Source

  /// Returns a key that is read from a file of 32 random bytes.
  ///
  /// If the file is missing, creating a new store creates the file, but opening an
  /// existing store throws. Other users must not be able to read or write the file.
  public static func keyFile(_ url: URL) -> EncryptionKey {
    EncryptionKey(source: .keyFile(KeyFile.path(of: url)))
  }

  /// Returns the key with the given 32 random bytes, which the application stores elsewhere, such
  /// as in a vault.
  ///
  /// If there are fewer than 32 bytes, opening the store throws ``StorageError/Code/misuse``.
  public static func bytes(_ bytes: Data) -> EncryptionKey {
    EncryptionKey(source: .bytes(SymmetricKey(data: bytes)))
  }

  /// Tries to remove temporary copies of the key file and to flush its folder.
  ///
  /// Returns an object that can repeat the attempt, or `nil` if the key is not in a file.
  func flush(backend: String) -> KeyFileFlush? {
    guard case .keyFile(.success(let path)) = source else { return nil }
    return KeyFileFlush(of: path, backend: backend)
  }

  /// Returns the bytes of the key.
  ///
  /// - Parameter isNew: whether the store is new, so that a missing key file is created. A new key
  ///   could not open an existing store.
  func symmetricKey(forNewStore isNew: Bool) throws(StorageError) -> SymmetricKey {
    switch source {
    case .bytes(let key):
      guard key.bitCount >= 256 else {
        throw StorageError(
          .misuse,
          "cannot use an encryption key of \(key.bitCount) bits: the minimum is 256 bits",
          suggestion: "pass a key of 32 random bytes, or use .keyFile(_:)")
      }
      return key
    case .keyFile(let path):
      let path = try path.get()
      if isNew { try KeyFile.createIfMissing(path) }
      return SymmetricKey(data: try KeyFile.read(path))
    }
  }
}

extension EncryptionKey: CustomStringConvertible, CustomReflectable {
  /// The kind of the key, such as `EncryptionKey.keyFile`, without its bytes or path.
  public var description: String {
    switch source {
    case .keyFile: "EncryptionKey.keyFile"
    case .bytes: "EncryptionKey.bytes"
    }
  }

  /// A mirror without children, so that `dump` does not print the bytes.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
