public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JournalledBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try naming { () throws(StorageError) in
      try store.values().report(store.format, store.files, damage)
    }
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try naming { () throws(StorageError) in try store.values().list(prefix) }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }

  private func naming<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError)
    -> Result
  {
    do throws(StorageError) { return try body() } catch { throw error.naming(backend: name) }
  }
}
