import Crypto
import CryptoExtras
import UndercroftCore
import UndercroftFoundation

/// The parameters of scrypt, which determine the cost of deriving a key from a passphrase.
///
/// Each ``VaultSlot`` stores its parameters.
struct ScryptCost: Equatable, Sendable {
  /// The binary logarithm of the cost parameter N of scrypt.
  let logRounds: UInt8
  /// The block size parameter r of scrypt.
  let blockSize: UInt8
  /// The parallelisation parameter p of scrypt.
  let lanes: UInt8

  /// The standard cost: 128 MiB and about half a second, the minimum that OWASP recommends.
  static let standard = ScryptCost(logRounds: 17, blockSize: 8, lanes: 1)
  /// The cost of a slot for a key file, which needs no scrypt.
  static let none = ScryptCost(logRounds: 0, blockSize: 0, lanes: 0)

  /// The number of bytes that scrypt fills, or `nil` if the
  /// number exceeds 1 GiB or a parameter is out of range.
  ///
  /// The parameters are checked before any derivation, because an attacker
  /// may have written the header of the vault, which contains them.
  var work: Int? {
    guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...4).contains(lanes) else {
      return nil
    }
    let bytes = 128 * (1 << Int(logRounds)) * Int(blockSize) * Int(lanes)
    return bytes <= 1 << 30 ? bytes : nil
  }

  /// Throws ``StorageError/Code/corrupted`` if the slots of a header together
  /// require scrypt to fill more than 4 GiB, which is 32 standard derivations.
  ///
  /// The function limits the sum, because a wrong passphrase is tried against every
  /// slot. It also throws if the parameters of a single slot are out of range.
  static func check(_ costs: [ScryptCost], of path: String) throws(StorageError) {
    var sum = 0
    for cost in costs {
      guard let work = cost.work else { throw invalid(path) }
      sum += work
    }
    guard sum <= 4 << 30 else {
      throw rejected(
        path,
        """
        the scrypt parameters in the header of the vault require more than 4 GiB of memory in \
        total for all passphrases
        """)
    }
  }

  private static func invalid(_ path: String) -> StorageError {
    rejected(
      path,
      """
      the header of the vault contains scrypt parameters that are out of range or require more \
      than 1 GiB of memory for one passphrase
      """)
  }

  private static func rejected(_ path: String, _ reason: String) -> StorageError {
    StorageError(
      .corrupted, "cannot open the vault \(quoted(path)): \(reason)",
      suggestion: "restore the vault from a backup")
  }

  func derive(
    _ passphrase: Data, salt: Data, of path: String
  ) throws(StorageError) -> SymmetricKey {
    guard let work else { throw Self.invalid(path) }
    do {
      return try KDF.Scrypt.deriveKey(
        from: passphrase, salt: salt, outputByteCount: 32, rounds: 1 << Int(logRounds),
        blockSize: Int(blockSize), parallelism: Int(lanes))
    } catch {
      throw StorageError(
        .io,
        """
        cannot derive a key of the vault \(quoted(path)) from the passphrase: scrypt, which needs \
        \(work >> 20) MiB of memory, failed
        """,
        suggestion: "free some memory, or raise the memory limit of the process",
        underlying: error)
    }
  }
}
