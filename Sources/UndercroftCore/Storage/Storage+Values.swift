public import UndercroftFoundation

extension Storage {
  /// Returns the value stored under `key`, or the key's default value if there is none.
  ///
  /// - Throws: ``StorageError``. A value that cannot be decoded remains stored.
  @inlinable
  public func load<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    let route = try route(for: key.kind)
    guard let bytes = try read(key.name, isPlain: key.isPlain, from: route) else {
      return key.defaultValue
    }
    return try route.coding.decode(Value.self, from: bytes, by: key.codec, of: key.name)
  }

  /// Returns the bytes of the value that is stored under `name`, or `nil` if no value is stored.
  ///
  /// This part of ``load(_:)`` is not generic, so that it needs no type metadata.
  @usableFromInline
  func read(_ name: String, isPlain: Bool, from route: Route) throws(StorageError) -> Data? {
    try gate(of: route).read(try route.coding.backendName(name, isPlain: isPlain))
  }

  /// Returns the value of `key` in the backend of `gate`,
  /// or the key's default value if no value is stored.
  ///
  /// - Parameter gate: the gate of the key's kind, or the
  ///   gate that the kind had before the storage was closed.
  func load<Value>(_ key: StorageKey<Value>, through gate: Gate) throws(StorageError) -> Value {
    let coding = try route(for: key.kind).coding
    return try coding.value(of: gate.read(try coding.backendName(of: key)), for: key)
  }

  /// Stores `value` under `key`; the value `nil` removes the stored value.
  ///
  /// - Throws: ``StorageError``, or the error that an interceptor throws.
  public func save<Value>(_ value: Value, for key: StorageKey<Value>) throws {
    let route = try route(for: key.kind)
    try gate(of: route).apply([try route.coding.change(storing: value, for: key)])
  }

  /// Removes the value stored under `key`, if there is one.
  public func remove<Value>(_ key: StorageKey<Value>) throws {
    let route = try route(for: key.kind)
    try gate(of: route).apply([.remove(try route.coding.backendName(of: key))])
  }

  /// Returns whether a value is stored under `key`.
  public func contains<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Bool {
    let route = try route(for: key.kind)
    return try gate(of: route).read(try route.coding.backendName(of: key)) != nil
  }

  /// Returns the names of the stored values of one kind that begin with `prefix`, sorted.
  public func names(of kind: DataKind, withPrefix prefix: String = "") throws(StorageError)
    -> [String]
  {
    let route = try route(for: kind)
    let wanted = route.coding.prefix + prefix
    let full = wanted.isEmpty ? "" : try Name.checked(wanted)
    let names = try gate(of: route).backend.keys(withPrefix: full)
    return names.compactMap { route.coding.name(ofBackendName: $0) }.sorted()
  }

  /// Removes all values of one kind.
  ///
  /// If the backend applies batches atomically, either all values are removed or none.
  public func removeAll(of kind: DataKind) throws {
    let route = try route(for: kind)
    let gate = try gate(of: route)
    try gate.edit { changes in
      changes = try gate.backend.keys(withPrefix: route.coding.prefix).map { .remove($0) }
    }
  }

  /// The value of a preference, which is read from memory after the first access.
  ///
  /// Reading and writing never throw. If the value cannot be read, the error goes to
  /// ``issueHandler`` and the result is the default value. If it cannot be written, or an
  /// interceptor rejects it, the error goes to ``issueHandler`` and the old value remains
  /// stored. Call ``save(_:for:)`` where an error matters. For a key of a kind other than
  /// ``DataKind/preference``, ``issueHandler`` also receives an error: use ``load(_:)`` and
  /// ``save(_:for:)`` instead.
  ///
  /// A statement such as `storage[.fontSize] += 1` reads and writes separately. A change that
  /// another writer makes between the read and the write is lost. Use ``edit(_:_:)`` instead.
  public subscript<Value>(key: StorageKey<Value>) -> Value {
    get {
      do throws(StorageError) {
        try requirePreference(key, "read", instead: "load(_:)")
        return try cachedValue(key)
      } catch {
        issueHandler(error)
        return key.defaultValue
      }
    }
    nonmutating set {
      do {
        try requirePreference(key, "write", instead: "save(_:for:)")
        try save(newValue, for: key)
      } catch let error as StorageError {
        issueHandler(error.naming(key: key.name))
      } catch {
        issueHandler(
          StorageError(
            .vetoed,
            """
            cannot save or remove the value: an interceptor rejected the write with an error of \
            the type \(type(of: error))
            """,
            suggestion: """
              to receive the error of the interceptor, call save(_:for:) instead of the subscript
              """,
            key: key.name, underlying: error))
      }
    }
  }

  private func requirePreference<Value>(
    _ key: StorageKey<Value>, _ verb: String, instead call: String
  ) throws(StorageError) {
    if key.kind == .preference { return }
    throw StorageError(
      .misuse,
      """
      cannot \(verb) a value of the kind \(key.kind) by subscript: a subscript supports only the \
      kind .preference
      """,
      suggestion: "call \(call) instead", key: key.name)
  }

  private func cachedValue<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    let route = try route(for: key.kind)
    let gate = try gate(of: route)
    let name = try route.coding.backendName(of: key)
    switch gate.cache.answer(for: name, externalChangeCount: gate.changeCount) {
    case .known(let known):
      // A transaction may read newer or older values than those in the
      // cache, and the database must record the reads of an observed query.
      if !gate.hasOpenTransaction {
        if let known = known as? DecodedValue<Value> { return known.value }
        if known is AbsentValue { return key.defaultValue }
      }
      // Also reached if two keys of different types have the
      // same name: the cached value then has the wrong type.
      return try route.coding.value(of: gate.read(name), for: key)
    case .unknown(let generation):
      guard let bytes = try gate.read(name) else {
        gate.cacheValue(AbsentValue(), for: name, since: generation)
        return key.defaultValue
      }
      let value = try route.coding.value(of: bytes, for: key)
      gate.cacheValue(DecodedValue(value), for: name, since: generation)
      return value
    }
  }
}
