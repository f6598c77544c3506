public import UndercroftCore
import UndercroftFileSystem
public import UndercroftFoundation
public import UndercroftInspection

extension FileBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport { try inspected.inspect() }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try inspected.entries(withPrefix: prefix)
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }

  private var inspected: FolderInspector { FolderInspector(folder: folder, scheme: name) }
}

/// An inspector of a folder of files, which creates no lock and no temporary file, and changes no
/// time stamp.
struct FolderInspector: SearchableStore {
  let folder: EntryFolder
  let scheme: String

  func inspect() throws(StorageError) -> InspectionReport {
    try StorageError.naming(backend: scheme) { () throws(StorageError) in
      try folder.report()
    }
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try StorageError.naming(backend: scheme) { () throws(StorageError) in
      try folder.entries(withPrefix: prefix)
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    try StorageError.naming(backend: scheme, key: entry) { () throws(StorageError) in
      guard let opened = try folder.open(entry) else { return nil }
      return try opened.readAll()
    }
  }

  /// Passes the bytes of the values that fulfil `filter`, and reads the other files piece by piece.
  func forEachName(
    withPrefix prefix: String, matching filter: ValueFilter,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    let names = try StorageError.naming(backend: scheme) { () throws(StorageError) in
      try folder.names(withPrefix: prefix)
    }
    var searcher = FileSearcher(filter)
    for name in names {
      let found = try StorageError.naming(backend: scheme, key: name) {
        () throws(StorageError) -> (hasFile: Bool, bytes: Data?) in
        // An entry may have been removed since the names were listed.
        guard let opened = try folder.open(name) else { return (false, nil) }
        // Reading a value that is too large, such as a sparse file, throws an error.
        let isTooLarge = opened.size > Descriptor.maximumByteCount
        let isNeeded = isTooLarge ? true : try searcher.finds(in: opened.file)
        return (true, isNeeded ? try opened.readAll() : nil)
      }
      if found.hasFile, try !body(name, found.bytes) { return }
    }
  }
}

extension EntryFolder {
  fileprivate func report() throws(StorageError) -> InspectionReport {
    let entries = try entries(withPrefix: "")
    // A killed writer may have left a committed batch. The entries are
    // listed as the batch leaves them, but no file is moved into place.
    let pending = try pendingBatch().map { $0.steps.count }
    return InspectionReport(
      format: suffix.isEmpty ? "files 1" : "files 1 (\(suffix))", entryCount: entries.count,
      byteCount: entries.reduce(0) { sum, entry in
        // The total size of sparse files may overflow `Int`.
        let (next, isOver) = sum.addingReportingOverflow(entry.byteCount ?? 0)
        return isOver ? .max : next
      }, isConfidential: false,
      facts: pending.map { [.init("pending batch", "\($0) files")] } ?? [])
  }

  fileprivate func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try withoutConcurrentBatch { () throws(StorageError) in
      var entries: [InspectionEntry] = []
      // Read the sizes through the same batch as the names: another batch may be committed in
      // between.
      guard let (names, batch) = try listed(withPrefix: prefix) else { return nil }
      for name in names {
        guard let opened = try open(name, through: batch) else { continue }
        entries.append(InspectionEntry(name: name, byteCount: opened.size))
      }
      return entries
    }
  }
}
