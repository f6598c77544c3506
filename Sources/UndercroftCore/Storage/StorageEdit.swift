/// The changes of one ``Storage/edit(_:_:)``.
///
/// Reads within the edit include its changes. All changes are stored
/// together when the edit ends, and are not visible elsewhere before.
public struct StorageEdit {
  private let coding: RouteCoding
  private let backend: any StorageBackend
  /// The changes of the edit, in the order of the calls.
  ///
  /// A change is appended unless ``lastIndices`` contains its name. In
  /// that case, the change replaces the earlier change of the same name.
  private(set) var changes: [StorageChange] = []
  /// The index of the last change of each name, among
  /// the first ``indexed`` elements of ``changes``.
  ///
  /// Only reads need these indices, so only reads update them.
  private var lastIndices: [ExactString: Int] = [:]
  /// The number of changes that ``lastIndices`` covers.
  private var indexed = 0
  /// The first error of a subscript access, or `nil` if there is none.
  ///
  /// A subscript cannot throw. The edit therefore throws this error after its closure has returned.
  private(set) var failure: StorageError?

  init(_ coding: RouteCoding, _ backend: any StorageBackend) {
    self.coding = coding
    self.backend = backend
  }

  /// The value of `key`, including the changes of this edit.
  ///
  /// An error in reading or writing makes the whole edit fail after its closure
  /// has returned. If reading fails, the result is the key's default value.
  public subscript<Value>(key: StorageKey<Value>) -> Value {
    mutating get {
      do {
        return try load(key)
      } catch {
        failure = failure ?? error
        return key.defaultValue
      }
    }
    set {
      do { try save(newValue, for: key) } catch { failure = failure ?? error }
    }
  }

  /// Returns the value of `key`, including the changes of this edit.
  public mutating func load<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    try check(key)
    let name = try coding.backendName(of: key)
    switch lastChange(of: name) {
    case .set(_, let bytes): return try coding.value(of: bytes, for: key)
    case .remove: return key.defaultValue
    case nil: return try coding.value(of: try backend.read(name), for: key)
    }
  }

  /// Stores `value` when the edit ends; the value `nil` removes the stored value.
  public mutating func save<Value>(_ value: Value, for key: StorageKey<Value>)
    throws(StorageError)
  {
    try check(key)
    add(try coding.change(storing: value, for: key))
  }

  /// Removes the value of `key` when the edit ends.
  public mutating func remove<Value>(_ key: StorageKey<Value>) throws(StorageError) {
    try check(key)
    add(.remove(try coding.backendName(of: key)))
  }

  private mutating func add(_ change: StorageChange) {
    if let index = lastIndices[change.name.exact] {
      changes[index] = change
    } else {
      changes.append(change)
    }
  }

  private mutating func lastChange(of name: String) -> StorageChange? {
    for index in indexed..<changes.count { lastIndices[changes[index].name.exact] = index }
    indexed = changes.count
    return lastIndices[name.exact].map { changes[$0] }
  }

  private func check<Value>(_ key: StorageKey<Value>) throws(StorageError) {
    if key.kind == coding.kind { return }
    throw StorageError(
      .misuse,
      """
      cannot read or change a value of the kind \(key.kind) in an edit of the kind \(coding.kind): \
      an edit supports only values of one kind
      """,
      suggestion: "call edit(_:_:) once for each kind", key: key.name)
  }
}
