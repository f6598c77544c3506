/// The storage's calls off the caller's executor; each runs the synchronous one on a thread that may block.
///
/// The work belongs to the calling task: `Task.isCancelled` and task-local values are those of the caller. A cancelled task does not
/// interrupt the work, which may ask.
public struct AsyncStorage: Sendable {
  let storage: Storage

  /// Runs any synchronous work with the storage on a thread that may block.
  public func perform<Result: Sendable>(
    _ work: @escaping @Sendable (Storage) throws -> Result
  ) async throws -> Result {
    let storage = storage
    return try await blocking { try work(storage) }
  }

  /// As ``Storage/load(_:)``.
  public func load<Value>(_ key: StorageKey<Value>) async throws -> Value {
    try await perform { try $0.load(key) }
  }

  /// As ``Storage/save(_:for:)``.
  public func save<Value>(_ value: Value, for key: StorageKey<Value>) async throws {
    try await perform { try $0.save(value, for: key) }
  }

  /// As ``Storage/remove(_:)``.
  public func remove<Value>(_ key: StorageKey<Value>) async throws {
    try await perform { try $0.remove(key) }
  }

  /// As ``Storage/contains(_:)``.
  public func contains<Value>(_ key: StorageKey<Value>) async throws -> Bool {
    try await perform { try $0.contains(key) }
  }

  /// As ``Storage/keys(of:withPrefix:)``.
  public func keys(of kind: DataKind, withPrefix prefix: String = "") async throws -> [String] {
    try await perform { try $0.keys(of: kind, withPrefix: prefix) }
  }

  /// As ``Storage/edit(_:_:)``.
  public func edit<Result: Sendable>(
    _ kind: DataKind, _ body: @escaping @Sendable (inout StorageEdit) throws -> Result
  ) async throws -> Result {
    try await perform { try $0.edit(kind, body) }
  }
}

extension Storage {
  /// The same calls off the caller's executor: `try await storage.async.load(.session)`.
  public var async: AsyncStorage { AsyncStorage(storage: self) }
}
