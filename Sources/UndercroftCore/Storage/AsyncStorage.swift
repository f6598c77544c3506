/// The asynchronous variants of the methods of a ``Storage``.
///
/// Each method runs the synchronous method of the storage on a thread that may block,
/// and never on the caller's executor. The work is part of the calling task, and can
/// read the task-local values and `Task.isCancelled` of this task. Cancelling the
/// task does not interrupt the work, but the work can check `Task.isCancelled`.
public struct AsyncStorage: Sendable {
  let storage: Storage

  /// Runs synchronous work with the storage on a thread that may block, and returns its result.
  public func perform<Result: Sendable>(
    _ work: @escaping @Sendable (Storage) throws -> Result
  ) async throws -> Result {
    let storage = storage
    return try await blocking { try work(storage) }
  }

  /// Returns the value of `key` asynchronously, like ``Storage/load(_:)``.
  public func load<Value>(_ key: StorageKey<Value>) async throws -> Value {
    try await perform { try $0.load(key) }
  }

  /// Stores `value` under `key` asynchronously, like ``Storage/save(_:for:)``.
  public func save<Value>(_ value: Value, for key: StorageKey<Value>) async throws {
    try await perform { try $0.save(value, for: key) }
  }

  /// Removes the value of `key` asynchronously, like ``Storage/remove(_:)``.
  public func remove<Value>(_ key: StorageKey<Value>) async throws {
    try await perform { try $0.remove(key) }
  }

  /// Returns asynchronously whether `key` has a stored value, like ``Storage/contains(_:)``.
  public func contains<Value>(_ key: StorageKey<Value>) async throws -> Bool {
    try await perform { try $0.contains(key) }
  }

  /// Returns the names of one kind asynchronously, like ``Storage/names(of:withPrefix:)``.
  public func names(of kind: DataKind, withPrefix prefix: String = "") async throws -> [String] {
    try await perform { try $0.names(of: kind, withPrefix: prefix) }
  }

  /// Changes several values of one kind asynchronously, like ``Storage/edit(_:_:)``.
  public func edit<Result: Sendable>(
    _ kind: DataKind, _ body: @escaping @Sendable (inout StorageEdit) throws -> Result
  ) async throws -> Result {
    try await perform { try $0.edit(kind, body) }
  }
}

extension Storage {
  /// The asynchronous variants of the methods of this
  /// storage: `try await storage.async.load(.session)`.
  public var async: AsyncStorage { AsyncStorage(storage: self) }
}
