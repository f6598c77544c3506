import UndercroftFoundation

/// A write to the values of one kind, which a storage passes to the interceptors of that kind.
public struct StorageWrite: Sendable {
  private let coding: RouteCoding
  /// The changes, or an empty array if the value was written in chunks.
  ///
  /// Each change contains the name that the application uses, not the name in the backend.
  private let changes: [StorageChange]
  /// Whether the write stores a value in chunks, so that the value is not in memory.
  public let isStream: Bool
  /// The names of the keys whose values the write sets or removes, in the order of the changes.
  public let names: [String]

  /// Creates the part of `write` that concerns the kind of `coding`,
  /// or returns `nil` if the write concerns only other kinds.
  init?(_ write: Gate.Write, _ coding: RouteCoding) {
    self.coding = coding
    switch write {
    case .changes(let batch):
      isStream = false
      changes = batch.compactMap { change in
        coding.name(ofBackendName: change.name).map { change.renamed($0) }
      }
      names = changes.map(\.name)
    case .stream(let name):
      isStream = true
      changes = []
      names = coding.name(ofBackendName: name).map { [$0] } ?? []
    }
    if names.isEmpty { return nil }
  }

  /// The kind of the values that the write sets or removes.
  public var kind: DataKind { coding.kind }

  /// Returns whether the write sets or removes the value of `key`.
  public func concerns<Value>(_ key: StorageKey<Value>) -> Bool {
    key.kind == kind && names.contains { $0.isExactly(Name.normal(key.name)) }
  }

  /// Returns the value that `key` has after the write, or `nil` if the write does not change it.
  ///
  /// If the write removes the value, the result is the key's default value. If the value was
  /// written in chunks, the result is `nil`, because the value is not in memory.
  public func newValue<Value>(of key: StorageKey<Value>) throws(StorageError) -> Value? {
    guard key.kind == kind else { return nil }
    let name = Name.normal(key.name)
    switch changes.last(where: { $0.name.isExactly(name) }) {
    case .set(_, let bytes): return try coding.value(of: bytes, for: key)
    case .remove: return key.defaultValue
    case nil: return nil
    }
  }
}

extension Storage {
  /// Adds handlers that are called before and after each write to the values of `kind`.
  ///
  /// Interceptors are called in the order in which they were added, for the writes of all storages
  /// that share the opened backend. The interceptors are active until the registration is
  /// cancelled or released, or the backend is closed. If the backend is not open, it is opened.
  ///
  /// ```swift
  /// let registration = try storage.intercept(.preference) { write in
  ///   if let size = try write.newValue(of: .fontSize), size > 72 { throw TooLarge() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: the kind of the values.
  ///   - before: called before the write. An error rejects the write and
  ///     reaches the writer unchanged. During the call, other writers wait,
  ///     and writing to the same backend throws ``StorageError/Code/misuse``.
  ///   - after: called after the write has succeeded, or after the transaction that contains
  ///     the write was committed. No lock is held, so the handler can read and write.
  /// - Throws: ``StorageError/Code/unavailable`` if the kind has
  ///   no route, and any error that opening the backend throws.
  public func intercept(
    _ kind: DataKind, before: @escaping @Sendable (StorageWrite) throws -> Void = { _ in },
    after: @escaping @Sendable (StorageWrite) -> Void = { _ in }
  ) throws(StorageError) -> Registration {
    let route = try route(for: kind)
    let coding = route.coding
    return try gate(of: route).intercept(
      Interceptor(
        before: { if let write = StorageWrite($0, coding) { try before(write) } },
        after: { if let write = StorageWrite($0, coding) { after(write) } }))
  }
}
