public import UndercroftCore
public import UndercroftFoundation
public import UndercroftInspection

extension JournalledBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try StorageError.naming(backend: name) { () throws(StorageError) in
      try store.values().report(store.format, store.files, damage)
    }
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try StorageError.naming(backend: name) { () throws(StorageError) in
      try store.values().list(prefix)
    }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}
