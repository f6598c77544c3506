public import UndercroftCore
public import UndercroftFoundation

extension MemoryBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport {
    let sizes = byteCounts
    return InspectionReport(
      format: "memory", entryCount: sizes.count, byteCount: sizes.reduce(0, +),
      isConfidential: false)
  }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try keys(withPrefix: prefix).map { (key) throws(StorageError) in
      InspectionEntry(name: key, byteCount: try read(key)?.count)
    }
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}
