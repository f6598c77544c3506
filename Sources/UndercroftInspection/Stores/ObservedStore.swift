import UndercroftCore
import UndercroftFoundation

extension OpenedStore {
  /// Returns a store of named values that passes the name and the bytes of each value that is read
  /// to `observer`; a store with tables is returned unchanged.
  func observed(_ observer: @escaping @Sendable (String, Data) -> Void) -> OpenedStore {
    guard !(store is any TableInspectable) || !report.isTabular else { return self }
    return OpenedStore(
      store: ObservedStore(store: store, observer: observer), report: report, prefix: prefix,
      isConfidential: isConfidential)
  }
}

/// A store that passes the values that are read to an observer.
private struct ObservedStore: ByteNamedStore {
  let store: any Inspectable
  let observer: @Sendable (String, Data) -> Void

  func inspect() throws(StorageError) -> InspectionReport { try store.inspect() }

  func briefReport() throws(StorageError) -> InspectionReport { try store.briefReport() }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try store.entries(withPrefix: prefix)
  }

  func forEachEntry(withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool) throws {
    try store.forEachEntry(withPrefix: prefix, body)
  }

  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    try store.forEachValue(withPrefix: prefix) { name, bytes in
      observer(name, bytes)
      return try body(name, bytes)
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    let bytes = try store.bytes(of: entry)
    if let bytes { observer(entry, bytes) }
    return bytes
  }

  func bytes(ofName name: Data) throws(StorageError) -> Data? {
    let text = String(decoding: name, as: UTF8.self)
    guard let store = store as? any ByteNamedStore else { return try bytes(of: text) }
    let bytes = try store.bytes(ofName: name)
    if let bytes { observer(text, bytes) }
    return bytes
  }

  func check() throws(StorageError) -> CheckResult { try store.check() }
}
