import Crypto
import CryptoExtras
import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How dear it is to try a passphrase, as a slot keeps it.
struct ScryptCost: Equatable, Sendable {
  /// The binary logarithm of scrypt's N.
  let logRounds: UInt8
  /// scrypt's r.
  let blockSize: UInt8
  /// scrypt's p.
  let lanes: UInt8

  /// 128 MiB and about half a second: the least that OWASP advises.
  static let standard = ScryptCost(logRounds: 17, blockSize: 8, lanes: 1)
  /// Of slots that need no stretching.
  static let none = ScryptCost(logRounds: 0, blockSize: 0, lanes: 0)

  /// A header may be hostile: what it asks for is bounded before any work is done.
  private var isAcceptable: Bool {
    guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...4).contains(lanes) else {
      return false
    }
    return 128 * (1 << Int(logRounds)) * Int(blockSize) * Int(lanes) <= 1 << 30
  }

  func derive(_ passphrase: Data, salt: Data) throws(StorageError) -> SymmetricKey {
    guard isAcceptable else {
      throw StorageError(
        .corrupted, "cannot open the vault: a slot asks for more work than any passphrase is worth",
        cure: "restore the vault from a backup")
    }
    do {
      return try KDF.Scrypt.deriveKey(
        from: passphrase, salt: salt, outputByteCount: 32, rounds: 1 << Int(logRounds),
        blockSize: Int(blockSize), parallelism: Int(lanes))
    } catch {
      throw StorageError(
        .io, "cannot derive a key from the passphrase: out of memory", underlying: error)
    }
  }
}
