public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JournalledBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    try naming { () throws(StorageError) in
      try store.entries().report(store.format, store.files)
    }
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try naming { () throws(StorageError) in try store.entries().list(prefix) }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }

  private func naming<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError)
    -> Result
  {
    do throws(StorageError) { return try body() } catch { throw error.naming(backend: name) }
  }
}

extension StoredEntries {
  func report(
    _ format: any SnapshotFormat, _ files: StoreFiles
  ) throws(StorageError) -> InspectionReport {
    InspectionReport(
      format: "\(format.name) snapshot 1 with journal 1",
      entryCount: try names(withPrefix: "").count,
      byteCount: files.byteCount, isConfidential: false,
      facts: [
        .init("snapshot", "\(snapshot?.count ?? 0) entries"),
        .init("journal", "\(files.journalByteCount) bytes"),
      ])
  }

  func list(_ prefix: String) throws(StorageError) -> [InspectionEntry] {
    var entries: [InspectionEntry] = []
    for name in try names(withPrefix: prefix) {
      entries.append(InspectionEntry(name: name, byteCount: try read(name)?.count))
    }
    return entries
  }
}
