import UndercroftCore
import UndercroftFoundation

/// A description of one slot of a vault, which one key file or one passphrase opens.
///
/// The description contains no secret: a slot is in the unencrypted part of the vault.
public struct VaultKeySlot: Sendable, Equatable {
  /// The kind of key that opens a slot.
  public enum Kind: String, Sendable {
    /// A key file opens the slot.
    case keyFile = "key file"
    /// A passphrase opens the slot.
    case passphrase = "passphrase"
  }

  /// The parameters of scrypt, which determine the cost of trying one passphrase (RFC 7914).
  public struct Cost: Sendable, Equatable {
    /// The binary logarithm of the cost parameter N.
    public let logRounds: Int
    /// The block size parameter r.
    public let blockSize: Int
    /// The parallelisation parameter p.
    public let parallelism: Int

    /// The memory in bytes that one derivation needs, or `nil` if the parameters are not valid.
    public let byteCount: Int?

    init(_ cost: ScryptCost) {
      logRounds = Int(cost.logRounds)
      blockSize = Int(cost.blockSize)
      parallelism = Int(cost.lanes)
      byteCount = cost.work
    }
  }

  /// The position of the slot in the vault, counted from 1.
  public let number: Int
  /// The kind of key that opens the slot.
  public let kind: Kind
  /// The cost of trying a passphrase, or `nil` for a key file.
  public let cost: Cost?
  /// Whether the key that opened the vault opens this slot.
  public let isOpened: Bool
  /// The random salt, which identifies the slot: its number changes if another slot is removed.
  let salt: Data

  /// Returns the descriptions of the slots of a header.
  ///
  /// - Parameter unlockers: the keys that opened the vault; none for a locked vault.
  static func all(
    of header: VaultHeader, openedBy unlockers: [VaultUnlocker], path: String
  ) throws(StorageError) -> [VaultKeySlot] {
    try header.slots.enumerated().map { (index, slot) throws(StorageError) in
      var isOpened = false
      for unlocker in unlockers where !isOpened {
        isOpened = try unlocker.opens(slot, of: header.id, path: path)
      }
      return VaultKeySlot(
        number: index + 1, kind: slot.kind == .keyFile ? .keyFile : .passphrase,
        cost: slot.kind == .keyFile ? nil : Cost(slot.cost), isOpened: isOpened, salt: slot.salt)
    }
  }
}
