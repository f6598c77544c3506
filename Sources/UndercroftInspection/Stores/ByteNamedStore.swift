package import UndercroftCore
package import UndercroftFoundation

/// A store of named values whose names are bytes, which are not always text.
package protocol ByteNamedStore: Inspectable {
  /// Returns the value of the entry whose name consists of exactly the given bytes, or `nil` if
  /// there is none.
  func bytes(ofName name: Data) throws(StorageError) -> Data?
}

extension OpenedStore {
  /// Returns the value of an entry that the store has listed, or `nil` if another process has
  /// removed the entry.
  package func bytes(of entry: InspectionEntry) throws(StorageError) -> Data? {
    guard let name = entry.nameBytes else { return try bytes(ofText: entry.name) }
    return try (store as? any ByteNamedStore)?.bytes(ofName: name)
  }

  /// Returns the value of the entry whose name is the text `name`, or `nil` if there is none.
  ///
  /// Unlike the name of ``bytes(of:)-(String)``, `name` is never a spelling of other bytes.
  package func bytes(ofText name: String) throws(StorageError) -> Data? {
    guard let store = store as? any ByteNamedStore else { return try bytes(of: name) }
    return try store.bytes(ofName: Data((prefix + name).utf8))
  }
}
