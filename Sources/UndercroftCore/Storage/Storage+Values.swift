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
    return try route.decode(Value.self, from: bytes, by: key.codec, of: key.name)
  }

  /// Reads the bytes of a value.
  ///
  /// This part of ``load(_:)`` is not generic, so that it needs no type metadata.
  @usableFromInline
  func read(_ name: String, isPlain: Bool, from route: Route) throws(StorageError) -> Data? {
    try gate(of: route).read(try route.backendName(name, isPlain: isPlain))
  }

  /// Returns the value of `key` in `gate`, or the key's default value if there is none.
  ///
  /// - Parameter gate: the present or an earlier gate of the key's kind.
  func load<Value>(_ key: StorageKey<Value>, through gate: Gate) throws(StorageError) -> Value {
    let route = try route(for: key.kind)
    return try ValueCoding(route: route).value(
      of: gate.read(try route.backendName(key.name)), for: key)
  }

  /// Stores `value` under `key`; the value `nil` removes the stored value.
  ///
  /// - Throws: ``StorageError``, or the error of an interceptor.
  public func save<Value>(_ value: Value, for key: StorageKey<Value>) throws {
    let route = try route(for: key.kind)
    let change = try ValueCoding(route: route).change(keeping: value, for: key)
    try gate(of: route).apply([change])
  }

  /// Removes the value stored under `key`, if there is one.
  public func remove<Value>(_ key: StorageKey<Value>) throws {
    let route = try route(for: key.kind)
    try gate(of: route).apply([.remove(try route.backendName(key.name))])
  }

  /// Returns whether a value is stored under `key`.
  public func contains<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Bool {
    let route = try route(for: key.kind)
    return try gate(of: route).backend.read(try route.backendName(key.name)) != nil
  }

  /// Returns the names of the stored values of one kind that begin with `prefix`, sorted.
  public func names(of kind: DataKind, withPrefix prefix: String = "") throws(StorageError)
    -> [String]
  {
    let route = try route(for: kind)
    let wanted = route.prefix + prefix
    let full = wanted.isEmpty ? "" : try Name.checked(wanted)
    let names = try gate(of: route).backend.keys(withPrefix: full)
    let count = route.prefix.utf8.count
    return names.map { String(decoding: $0.utf8.dropFirst(count), as: UTF8.self) }.sorted()
  }

  /// Removes all values of one kind.
  ///
  /// If the backend applies batches atomically, either all values are removed or none.
  public func removeAll(of kind: DataKind) throws {
    let route = try route(for: kind)
    let gate = try gate(of: route)
    try gate.edit {
      (try gate.backend.keys(withPrefix: route.prefix).map { .remove($0) }, ())
    }
  }

  /// The value of a preference, which is read from memory after the first access.
  ///
  /// Reading never throws. If the value cannot be read, the error goes
  /// to ``issueHandler`` and the result is the default value. A key of
  /// another kind is an error as well: use ``load(_:)`` instead.
  public subscript<Value>(key: StorageKey<Value>) -> Value {
    do throws(StorageError) {
      guard key.kind == .preference else {
        throw StorageError(
          .misuse, "cannot read \(key.kind) by subscript: only preferences are",
          suggestion: "call load(_:), which throws", key: key.name)
      }
      return try remembered(key)
    } catch {
      issueHandler(error)
      return key.defaultValue
    }
  }

  private func remembered<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    let route = try route(for: key.kind)
    let gate = try gate(of: route)
    let name = try route.backendName(key.name, isPlain: key.isPlain)
    switch gate.cache.look(for: name, outside: gate.changeCount) {
    case .known(let known):
      // The snapshot of a transaction may be newer or older than the cache, and the database must
      // see what an observed query reads.
      if !gate.hasOpenTransaction {
        if let known = known as? DecodedValue<Value> { return known.value }
        if known is AbsentValue { return key.defaultValue }
      }
      // Or two keys of different types have the same name, so the cached value has the wrong type.
      return try ValueCoding(route: route).value(of: gate.backend.read(name), for: key)
    case .unknown(let generation):
      guard let bytes = try gate.backend.read(name) else {
        gate.cacheValue(AbsentValue(), for: name, since: generation)
        return key.defaultValue
      }
      let value = try ValueCoding(route: route).value(of: bytes, for: key)
      gate.cacheValue(DecodedValue(value), for: name, since: generation)
      return value
    }
  }
}
