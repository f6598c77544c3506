import Crypto
import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The key of an encrypted layer.
public struct EncryptionKey: Sendable {
  private enum Source: Sendable {
    /// The path, or why the URL has none.
    case keyFile(Result<String, StorageError>)
    case bytes(SymmetricKey)
  }

  private let source: Source

  /// A file of 32 random bytes, readable by its owner alone; made together with a new store if it is missing.
  public static func keyFile(_ url: URL) -> EncryptionKey {
    EncryptionKey(source: .keyFile(KeyFile.path(of: url)))
  }

  /// Thirty-two random bytes that the application keeps elsewhere, such as in a vault; shorter ones are refused when the store opens.
  public static func bytes(_ bytes: Data) -> EncryptionKey {
    EncryptionKey(source: .bytes(SymmetricKey(data: bytes)))
  }

  /// Returns the flush of the key file, tried once, or `nil` for a key that is kept elsewhere.
  func flush(backend: String) -> KeyFileFlush? {
    guard case .keyFile(.success(let path)) = source else { return nil }
    return KeyFileFlush(of: path, backend: backend)
  }

  /// Returns the key; for a new store a key file is made, for an old one it would open nothing.
  func symmetricKey(forNewStore isNew: Bool) throws(StorageError) -> SymmetricKey {
    switch source {
    case .bytes(let key):
      guard key.bitCount >= 256 else {
        throw StorageError(
          .misuse, "cannot encrypt with a key of \(key.bitCount) bits: it takes 256",
          cure: "pass 32 random bytes, or a .keyFile")
      }
      return key
    case .keyFile(let path):
      let path = try path.get()
      if isNew { try KeyFile.createIfMissing(path) }
      return SymmetricKey(data: try KeyFile.read(path))
    }
  }
}
