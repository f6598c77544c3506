/// The changes of one ``Storage/edit(_:_:)``: reads see them, nothing else does until all are kept at once.
public struct StorageEdit {
  private let coding: ValueCoding
  private let backend: any StorageBackend
  /// The batch, in the order of the calls; a value that was read and then changed again stands once.
  private(set) var changes: [Change] = []
  /// Where the last change of each name stands, as far as ``changes`` has been indexed: only reads need it.
  private var places: [ExactString: Int] = [:]
  private var indexed = 0
  private(set) var failure: StorageError?

  init(route: Route, backend: any StorageBackend) {
    self.coding = ValueCoding(route: route)
    self.backend = backend
  }

  /// The value as this edit sees it; an error in reading or writing fails the whole edit when its closure ends.
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

  /// Returns the value as this edit sees it.
  public mutating func load<Value>(_ key: StorageKey<Value>) throws(StorageError) -> Value {
    try check(key)
    let name = try coding.route.backendName(key.name)
    switch lastChange(of: name) {
    case .set(_, let bytes): return try coding.value(of: bytes, for: key)
    case .remove: return key.defaultValue
    case nil: return try coding.value(of: try backend.read(name), for: key)
    }
  }

  /// Keeps `value` once the edit ends; `nil` removes.
  public mutating func save<Value>(_ value: Value, for key: StorageKey<Value>)
    throws(StorageError)
  {
    try check(key)
    add(try coding.change(keeping: value, for: key))
  }

  /// Removes the value once the edit ends.
  public mutating func remove<Value>(_ key: StorageKey<Value>) throws(StorageError) {
    try check(key)
    add(.remove(try coding.route.backendName(key.name)))
  }

  private mutating func add(_ change: Change) {
    if let place = places[change.name.exact] {
      changes[place] = change
    } else {
      changes.append(change)
    }
  }

  private mutating func lastChange(of name: String) -> Change? {
    for place in indexed..<changes.count { places[changes[place].name.exact] = place }
    indexed = changes.count
    return places[name.exact].map { changes[$0] }
  }

  private func check<Value>(_ key: StorageKey<Value>) throws(StorageError) {
    if key.kind == coding.route.kind { return }
    throw StorageError(
      .misuse, "cannot edit \(key.kind) within an edit of \(coding.route.kind)", key: key.name)
  }
}
