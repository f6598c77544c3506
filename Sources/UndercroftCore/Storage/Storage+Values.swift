#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Storage {
  /// Returns the value kept under `key`, or its default when there is none.
  ///
  /// - Throws: ``StorageError``; a value that cannot be decoded throws and stays where it is.
  @inlinable
  public func load<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    let route = try route(for: key.kind)
    guard let bytes = try read(key.name, isPlain: key.isPlain, from: route) else {
      return key.defaultValue
    }
    return try route.decode(Value.self, from: bytes, by: key.codec, of: key.name)
  }

  /// The part of a load that is the same for all types, so that it costs no look at any.
  @usableFromInline
  func read(_ name: String, isPlain: Bool, from route: Route) throws(StorageError) -> Data? {
    try gate(of: route).read(try route.backendName(name, isPlain: isPlain))
  }

  /// Returns the value that `gate`, which is or was that of the key's kind, holds under `key`, or its default.
  func load<Value>(_ key: StorageKey<Value>, through gate: Gate) throws(StorageError) -> Value {
    let route = try route(for: key.kind)
    return try ValueCoding(route: route).value(
      of: gate.read(try route.backendName(key.name)), for: key)
  }

  /// Keeps `value` under `key`; saving `nil` removes.
  ///
  /// - Throws: ``StorageError``, or what an interceptor threw.
  public func save<Value>(_ value: Value, for key: StorageKey<Value>) throws {
    let route = try route(for: key.kind)
    let change = try ValueCoding(route: route).change(keeping: value, for: key)
    try gate(of: route).apply([change])
  }

  /// Removes what is kept under `key`; removing what is absent succeeds.
  public func remove<Value>(_ key: StorageKey<Value>) throws {
    let route = try route(for: key.kind)
    try gate(of: route).apply([.remove(try route.backendName(key.name))])
  }

  /// Says whether anything is kept under `key`.
  public func contains<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Bool {
    let route = try route(for: key.kind)
    return try gate(of: route).backend.read(try route.backendName(key.name)) != nil
  }

  /// Returns the names kept of one kind that begin with `prefix`, sorted.
  public func keys(of kind: DataKind, withPrefix prefix: String = "") throws(StorageError)
    -> [String]
  {
    let route = try route(for: kind)
    let wanted = route.prefix + prefix
    let full = wanted.isEmpty ? "" : try Name.checked(wanted)
    let names = try gate(of: route).backend.keys(withPrefix: full)
    let count = route.prefix.utf8.count
    return names.map { String(decoding: $0.utf8.dropFirst(count), as: UTF8.self) }.sorted()
  }

  /// Removes every value of one kind.
  ///
  /// All or nothing where the backend keeps batches whole.
  public func removeAll(of kind: DataKind) throws {
    let route = try route(for: kind)
    let gate = try gate(of: route)
    try gate.edit {
      (try gate.backend.keys(withPrefix: route.prefix).map { .remove($0) }, ())
    }
  }

  /// The value of a preference: from memory once it has been read, never throwing.
  ///
  /// A read that goes wrong is reported to ``issueHandler`` and gives the default. A key of another kind is
  /// reported in the same way: read it with ``load(_:)``.
  public subscript<Value>(key: StorageKey<Value>) -> Value {
    do throws(StorageError) {
      guard key.kind == .preference else {
        throw StorageError(
          .misuse, "cannot read \(key.kind) by subscript: only preferences are",
          cure: "call load(_:), which throws", key: key.name)
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
      if let known = known as? DecodedValue<Value> { return known.value }
      if known is AbsentValue { return key.defaultValue }
      // Two keys of different types on one name: each decodes for itself.
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
