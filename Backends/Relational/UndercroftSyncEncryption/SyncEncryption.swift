import Synchronization
public import UndercroftCore
public import UndercroftFoundation
public import UndercroftSync

/// The end-to-end encryption of the values of a scope.
///
/// The server receives the values of columns as encrypted bytes, and orders and merges changes as
/// it does without encryption. It sees names of scopes, tables and columns, identifiers of rows,
/// references, counters, times, which columns of a row change, the lengths of values, and whether
/// two values of the same column of the same row are equal. It can also withhold changes, and send
/// earlier values again.
///
/// ```swift
/// let encryption = try SyncEncryption([key])
/// let engine = try SyncEngine(
///   database, scope: "user:7", account: "7", tables: [SyncedTable("book")], peer: peer,
///   cipher: encryption)
/// ```
///
/// To rotate the key, call ``add(_:)`` with a key with a greater number on each device. Stored
/// values remain encrypted with their keys until they change, so retain the earlier keys. A row
/// that is encrypted with an unknown key waits as a conflict, ``OpenConflict/blocked(_:)``, and is
/// applied by the next synchronisation after its key was added.
public final class SyncEncryption: SyncValueCipher {
  private let ciphers: Mutex<[UInt32: ValueCipher]>
  private let plainColumns: [ExactString: Set<ExactString>]
  /// Whether pulled values that are not encrypted are applied.
  public let acceptsPlainValues: Bool

  /// Creates the encryption of a scope.
  ///
  /// - Parameters:
  ///   - keys: the keys of the scope. Without a key, nothing is sent, and encrypted rows wait.
  ///   - plainColumns: the columns whose values are not encrypted, keyed by the name of their
  ///     table, for example because a validator of the server must read these values. Counters and
  ///     references are never encrypted.
  ///   - acceptsPlainValues: whether pulled values of the other columns are applied although they
  ///     are not encrypted. If `true`, the server can forge values. Use it only until all values of
  ///     a scope that was synchronised without encryption have been encrypted.
  /// - Throws: ``StorageError/Code/misuse`` if two different keys have the same number.
  public init(
    _ keys: [SyncEncryptionKey] = [], plainColumns: [ExactString: Set<ExactString>] = [:],
    acceptsPlainValues: Bool = false
  ) throws(StorageError) {
    ciphers = Mutex([:])
    self.plainColumns = plainColumns
    self.acceptsPlainValues = acceptsPlainValues
    for key in keys { try add(key) }
  }

  /// Adds a key.
  ///
  /// Later changes are encrypted with the key with the greatest number. Rows that wait for the key
  /// are applied by the next synchronisation. If the key is known already, nothing changes.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if another key has the same number.
  public func add(_ key: SyncEncryptionKey) throws(StorageError) {
    let cipher = ValueCipher(key)
    let known = ciphers.withLock { ciphers in
      if ciphers[key.number] == nil { ciphers[key.number] = cipher }
      return ciphers[key.number]
    }
    guard known?.key == key else {
      throw StorageError(
        .misuse,
        """
        cannot add the encryption key \(key.number): the SyncEncryption already contains another \
        key with the number \(key.number)
        """,
        suggestion: """
          for a new key, choose a number that is greater than the numbers of all earlier keys of \
          the scope; for an existing key, pass the number and the bytes with which the key was \
          created
          """, backend: "sync")
    }
  }

  /// The numbers of the keys that are available, in ascending order.
  public var keyNumbers: [UInt32] { ciphers.withLock { $0.keys.sorted() } }

  // MARK: Values

  /// Returns whether the values of a column that is neither a reference nor a counter are encrypted
  /// before they are sent.
  public func encrypts(_ column: String, of table: String) -> Bool {
    plainColumns[ExactString(table)]?.contains(ExactString(column)) != true
  }

  /// Encrypts a value with the newest key.
  ///
  /// - Throws: ``StorageError/Code/wrongKey`` if there is no key.
  public func encrypt(_ bytes: Data, at place: SyncValuePlace) throws -> EncryptedValue {
    guard let cipher = ciphers.withLock({ $0.max { $0.key < $1.key }?.value }) else {
      throw StorageError(
        .wrongKey,
        "cannot encrypt \(place.quotedName): the SyncEncryption contains no key",
        suggestion: "add a key of the scope with SyncEncryption.add(_:), and synchronise again",
        backend: "sync")
    }
    return EncryptedValue(
      keyNumber: cipher.key.number, bytes: try cipher.encrypt(bytes, at: place))
  }

  /// Decrypts a value with the key that it names.
  ///
  /// - Throws: ``StorageError/Code/wrongKey`` if the key is not available;
  ///   ``StorageError/Code/corrupted`` if the value was changed, belongs to another place, or was
  ///   encrypted with another key of the same number.
  public func decrypt(_ value: EncryptedValue, at place: SyncValuePlace) throws -> Data {
    guard let cipher = ciphers.withLock({ $0[value.keyNumber] }) else {
      throw StorageError(
        .wrongKey,
        """
        cannot decrypt \(place.quotedName): the encryption key \(value.keyNumber) is not available
        """, suggestion: "add the key with SyncEncryption.add(_:), and synchronise again",
        backend: "sync")
    }
    guard let bytes = cipher.decrypt(value.bytes, at: place) else {
      throw StorageError(
        .corrupted,
        """
        cannot decrypt \(place.quotedName): the encrypted value was changed, was copied from \
        another place, such as another row, or was encrypted with another key that also has the \
        number \(value.keyNumber)
        """,
        suggestion: """
          verify that all devices have the same keys; if they do, write a new value to the column \
          of this row
          """,
        backend: "sync")
    }
    return bytes
  }
}
