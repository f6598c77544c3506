import Crypto
public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation

/// A backend that encrypts names and values before it passes them to another backend.
///
/// The other backend stores tokens instead of names. Equal names have equal tokens,
/// and a token reveals nothing else about its name. Listing names decrypts every
/// value. The number of values and the approximate size of each value remain visible.
public struct EncryptedBackend: LayeredBackend {
  private let upstream: any StorageBackend
  private let seal: EntryCipher
  /// The cleanup that removes temporary copies of the key file and flushes its folder, or `nil` if
  /// the key is not in a file or this backend created the store.
  private let keyFlush: KeyFileFlush?

  /// Creates an encryption layer over `upstream`, a store
  /// that is empty or was encrypted with the same key.
  ///
  /// - Throws: ``StorageError/Code/wrongKey`` if `upstream` is encrypted with another key;
  ///   ``StorageError/Code/misuse`` if `upstream` contains values that are not encrypted, or if the
  ///   key has fewer than 32 bytes; ``StorageError/Code/corrupted`` if the entry that identifies
  ///   the key was changed or is missing; any error that `upstream` or reading the key file throws.
  public init(_ upstream: any StorageBackend, key: EncryptionKey) throws(StorageError) {
    self.upstream = upstream
    var stored = try Self.check(in: upstream)
    keyFlush = stored == nil ? nil : key.flush(backend: upstream.name)
    seal = EntryCipher(try key.symmetricKey(forNewStore: stored == nil))
    if stored == nil { stored = try Self.begin(upstream, seal) }
    guard let stored else { return }
    if seal.isCheck(stored) { return }
    let isDamaged = stored.count == seal.check.count ? try canOpenEntry() : true
    if isDamaged {
      throw StorageError(
        .corrupted,
        """
        cannot open \(Self.title(of: upstream)): the entry \(quoted(EntryCipher.checkName)), which \
        identifies the encryption key, was changed by another program or a disk error
        """,
        suggestion: "restore the store from a backup", backend: name)
    }
    throw StorageError(
      .wrongKey,
      """
      cannot open \(Self.title(of: upstream)): the encryption key does not match the entry \
      \(quoted(EntryCipher.checkName)), which identifies the encryption key of the store
      """,
      suggestion: """
        pass the encryption key with which the store was created, or, if you pass this key \
        already, restore the store from a backup
        """, backend: name)
  }

  /// Returns whether the key decrypts one of the stored entries, or `false` if there is no entry.
  ///
  /// A store contains a check value, which identifies its key. If the stored check value does not
  /// match the key, the result distinguishes a damaged check value from a wrong key.
  private func canOpenEntry() throws(StorageError) -> Bool {
    let tokens = try upstream.keys(withPrefix: EntryCipher.tokenPrefix)
    guard let token = tokens.first(where: { $0 != EntryCipher.checkName }),
      let bytes = try upstream.read(token)
    else { return false }
    return seal.open(bytes, token: token) != nil
  }

  /// Writes the check value of the key into a new store, unless another instance has written one.
  ///
  /// The check value identifies the key.
  ///
  /// - Returns: the check value that another instance of the store has
  ///   written, or `nil` if this call has written the check value.
  private static func begin(
    _ upstream: any StorageBackend, _ seal: EntryCipher
  ) throws(StorageError) -> Data? {
    let result = withExclusiveAccess(to: upstream) { () throws(StorageError) -> Data? in
      if let stored = try check(in: upstream) { return stored }
      try upstream.apply([.set(EntryCipher.checkName, seal.check)])
      return nil
    }
    return try result.get()
  }

  /// Runs `body` while no other instance of the store writes.
  ///
  /// A backend without exclusive access is assumed to have a single instance.
  private static func withExclusiveAccess<Value>(
    to upstream: any StorageBackend, _ body: () throws(StorageError) -> Value
  ) -> Result<Value, StorageError> {
    guard let exclusive = upstream as? any ExclusiveAccessBackend else {
      return Result { () throws(StorageError) in try body() }
    }
    do {
      return .success(try exclusive.withExclusiveAccess(body))
    } catch let error as StorageError {
      return .failure(error)
    } catch {
      return .failure(
        StorageError(
          .io,
          """
          cannot open \(title(of: upstream)): acquiring exclusive access failed with an error of \
          the type \(type(of: error))
          """,
          suggestion: "open the encrypted store again", backend: upstream.name,
          underlying: error))
    }
  }

  /// Returns the description of an encrypted store in error messages, with its path if it has one.
  private static func title(of upstream: any StorageBackend) -> String {
    upstream.location.map { "the encrypted store \(quoted($0.path))" }
      ?? "the encrypted store in the backend \(quoted(upstream.name))"
  }

  /// Returns the check value of an encrypted store, or `nil` if the store is new.
  ///
  /// The check value identifies the key.
  private static func check(in upstream: any StorageBackend) throws(StorageError) -> Data? {
    if let stored = try upstream.read(EntryCipher.checkName) { return stored }
    let names = try upstream.keys(withPrefix: "")
    if names.isEmpty { return nil }
    // Another instance may have created the store between the two calls.
    if let stored = try upstream.read(EntryCipher.checkName) { return stored }
    guard names.allSatisfy({ $0.hasPrefix(EntryCipher.tokenPrefix) }) else {
      throw StorageError(
        .misuse,
        "cannot open \(title(of: upstream)): the store already contains unencrypted values",
        suggestion: """
          choose a new file or folder for the encrypted store, and copy the values into the new \
          store
          """,
        backend: upstream.name)
    }
    throw StorageError(
      .corrupted,
      """
      cannot open \(title(of: upstream)): the entry \(quoted(EntryCipher.checkName)), which \
      identifies the encryption key, is missing
      """,
      suggestion: "restore the store from a backup", backend: upstream.name)
  }

  public var upstreams: [any StorageBackend] { [upstream] }
  public func upstreamName(of name: String) -> String? { seal.token(of: name) }
  public var name: String { upstream.name }
  public var location: URL? { upstream.location }
  public var capabilities: Capabilities {
    upstream.capabilities.subtracting(.lostInLayers).union(Self.added)
  }

  fileprivate static let added: Capabilities = [.confidential, .orderedKeys]

  public func read(_ key: String) throws(StorageError) -> Data? {
    let token = seal.token(of: key)
    do throws(StorageError) {
      guard let bytes = try upstream.read(token) else { return nil }
      guard let entry = seal.open(bytes, token: token), entry.name.isExactly(key) else {
        throw damaged("the value of \(quoted(key))")
      }
      return entry.value
    } catch {
      throw error.naming(backend: name, key: key).hiding(token, as: key)
    }
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    if changes.isEmpty { return }
    try StorageError.naming(backend: name, key: changes.first?.name) { () throws(StorageError) in
      try keyFlush?.finish()
    }
    var sealed: [StorageChange] = []
    for change in changes {
      let token = seal.token(of: change.name)
      switch change {
      case .remove: sealed.append(.remove(token))
      case .set(let name, let bytes):
        sealed.append(.set(token, try seal.seal(name, bytes, token: token)))
      }
    }
    do throws(StorageError) {
      try upstream.apply(sealed)
    } catch {
      var error = error
      if let index = sealed.firstIndex(where: { $0.name.exact == error.key?.exact }) {
        error.key = changes[index].name
      }
      throw error
    }
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    var names: [String] = []
    for token in try upstream.keys(withPrefix: EntryCipher.tokenPrefix)
    where token != EntryCipher.checkName {
      // The value may have been removed between the two calls.
      guard let bytes = try upstream.read(token) else { continue }
      guard let entry = seal.open(bytes, token: token) else {
        throw damaged("the entry \(quoted(token))")
      }
      if entry.name.exact.begins(with: prefix) { names.append(entry.name) }
    }
    return names.map(\.exact).sorted().map(\.text)
  }

  private func damaged(_ entry: String) -> StorageError {
    StorageError(
      .corrupted,
      """
      cannot decrypt \(entry) of \(Self.title(of: upstream)): another program or a disk error \
      changed the stored bytes
      """,
      suggestion: "restore the store from a backup", backend: name)
  }
}

extension StorageError {
  fileprivate func hiding(_ token: String?, as key: String) -> StorageError {
    var error = self
    if error.key == token { error.key = key }
    return error
  }
}

extension BackendChoice {
  /// Returns this choice with a layer that encrypts names and values with `key`.
  ///
  /// The store then has the capability ``Capabilities/confidential``,
  /// which the kind ``DataKind/secret`` requires.
  public func encrypted(with key: EncryptionKey) -> BackendChoice {
    wrapped(removing: .lostInLayers, adding: EncryptedBackend.added) {
      (upstream) throws(StorageError) in try EncryptedBackend(upstream, key: key)
    }
  }
}
