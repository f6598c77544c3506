public import UndercroftFoundation

/// The encryption of values before they are sent, so that only replicas with the key can read them.
///
/// The product `UndercroftSyncEncryption` contains an implementation. A replica calls the cipher
/// for the columns of synchronised tables that are neither references nor counters: identifiers and
/// references must be comparable, and the server adds to counters.
///
/// The functions are called within transactions, so they must not wait.
public protocol SyncValueCipher: Sendable {
  /// Returns whether the values of a column are encrypted before they are sent.
  func encrypts(_ column: String, of table: String) -> Bool

  /// Whether pulled values that are not encrypted are applied to the columns that are encrypted.
  ///
  /// If `true`, the server can forge values. Return `true` only while a scope contains values that
  /// were sent before its encryption began.
  var acceptsPlainValues: Bool { get }

  /// Encrypts a value.
  ///
  /// The result must be the same whenever the same bytes are encrypted at the same place, as long
  /// as the newest key is the same. Otherwise, the server regards equal values as different ones.
  ///
  /// - Parameters:
  ///   - bytes: the value in its form on the wire.
  ///   - place: the place of the value, to which the result must be bound.
  /// - Throws: an error if there is no key. The change then remains in the queue.
  func encrypt(_ bytes: Data, at place: SyncValuePlace) throws -> EncryptedValue

  /// Decrypts a value, and returns the bytes that were passed to ``encrypt(_:at:)``.
  ///
  /// - Throws: an error if the key is not available, or if the value was encrypted for another
  ///   place or has been changed since. The row then waits until the key is available or a later
  ///   version of the row arrives.
  func decrypt(_ value: EncryptedValue, at place: SyncValuePlace) throws -> Data
}

/// The place of a value: a column of a row of a scope.
public struct SyncValuePlace: Sendable, Hashable {
  /// The scope of the row.
  public var scope: ScopeIdentifier
  /// The table of the row.
  public var table: String
  /// The identifier of the row.
  public var dataIdentifier: DataIdentifier
  /// The name of the column that contains the value.
  public var column: String

  /// Creates the place of a value.
  public init(
    scope: ScopeIdentifier, table: String, dataIdentifier: DataIdentifier, column: String
  ) {
    self.scope = scope
    self.table = table
    self.dataIdentifier = dataIdentifier
    self.column = column
  }
}
