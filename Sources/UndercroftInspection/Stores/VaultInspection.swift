public import UndercroftFoundation

/// The functions that examine and change the vaults of one backend: files whose content is
/// encrypted, and that several key files and passphrases can open.
///
/// Each key file or passphrase opens one *slot* of the vault.
public struct VaultInspection: Sendable {
  /// The unencrypted part of a vault.
  public struct Summary: Sendable, Equatable {
    /// The format and its version, such as "vault 1".
    public let format: String
    /// The number of times that the file was written completely, beginning with 1.
    public let epoch: UInt64
    /// The slots of the vault.
    public let slots: [Slot]

    /// Creates a summary from its parts.
    public init(format: String, epoch: UInt64, slots: [Slot]) {
      (self.format, self.epoch, self.slots) = (format, epoch, slots)
    }
  }

  /// One way to open a vault.
  public struct Slot: Sendable, Equatable {
    /// The position of the slot, counted from 1.
    public let number: Int
    /// The kind of key that opens the slot, such as "passphrase".
    public let kind: String
    /// The cost of trying a passphrase, such as "scrypt N=2^17 r=8 p=1", or `nil` for a key file.
    public let cost: String?
    /// The memory in bytes that trying a passphrase needs, or `nil` for a key file.
    public let costByteCount: Int?
    /// Whether the given credentials open the slot, or `nil` if none were given.
    public let isOpened: Bool?

    /// Creates a description of a slot.
    public init(
      number: Int, kind: String, cost: String?, costByteCount: Int?, isOpened: Bool?
    ) {
      self.number = number
      self.kind = kind
      self.cost = cost
      self.costByteCount = costByteCount
      self.isOpened = isOpened
    }
  }

  /// The result of decrypting and authenticating all records of a vault.
  public struct Verification: Sendable, Equatable {
    /// The number of values.
    public let entryCount: Int
    /// The number of records that were authenticated.
    public let recordCount: UInt64
    /// A description of the damage, or `nil` if no record is damaged.
    public let damage: String?
    /// Whether the vault ends with the incomplete record of a write that was interrupted.
    public let hasUnfinishedWrite: Bool

    /// Creates a result from its parts.
    public init(entryCount: Int, recordCount: UInt64, damage: String?, hasUnfinishedWrite: Bool) {
      self.entryCount = entryCount
      self.recordCount = recordCount
      self.damage = damage
      self.hasUnfinishedWrite = hasUnfinishedWrite
    }
  }

  /// A change of the keys that open a vault.
  public enum Change: Sendable {
    /// Adds a slot for each of the given credentials; a missing key file is created.
    case add(InspectionCredentials)
    /// Removes the slot with a number.
    case removeSlot(Int)
    /// Encrypts all values with a new key, which only the given credentials open.
    ///
    /// `nil` means the credentials that open the vault.
    case rekey(to: InspectionCredentials?)
  }

  /// A change of the keys, and the conditions of the change.
  public struct ChangeRequest: Sendable {
    /// The change.
    public let change: Change
    /// Whether the change is made even if keys, given or not, lose access to the vault.
    public let allowsLosingAccess: Bool
    /// A closure that throws if the vault must not be changed now.
    ///
    /// The closure that changes the keys calls this closure before it opens the vault for writing,
    /// and again while no other process can open the vault or write to it.
    public let permit: @Sendable () throws -> Void

    /// Creates a request.
    public init(
      _ change: Change, allowsLosingAccess: Bool = false,
      permit: @escaping @Sendable () throws -> Void = {}
    ) {
      self.change = change
      self.allowsLosingAccess = allowsLosingAccess
      self.permit = permit
    }
  }

  /// A closure that reads the unencrypted part of the vault at a location.
  ///
  /// The closure throws `StorageError.Code.wrongKey` if one of the given credentials opens no slot.
  public let summary: @Sendable (_ vault: URL, InspectionCredentials) throws -> Summary

  /// A closure that decrypts and authenticates all records of the vault at a location.
  ///
  /// The closure throws `StorageError.Code.locked` without credentials.
  public let verify: @Sendable (_ vault: URL, InspectionCredentials) throws -> Verification

  /// A closure that changes the keys of the vault at a location, which the given credentials open.
  ///
  /// The closure throws `StorageError.Code.misuse` if the change would remove the last slot, or if
  /// keys would lose access although the request does not allow it.
  public let change: @Sendable (_ vault: URL, InspectionCredentials, ChangeRequest) throws -> Void

  /// Creates the functions of a backend.
  public init(
    summary: @escaping @Sendable (_ vault: URL, InspectionCredentials) throws -> Summary,
    verify: @escaping @Sendable (_ vault: URL, InspectionCredentials) throws -> Verification,
    change: @escaping @Sendable (_ vault: URL, InspectionCredentials, ChangeRequest) throws -> Void
  ) {
    self.summary = summary
    self.verify = verify
    self.change = change
  }
}
