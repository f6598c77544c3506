public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FileBackend: Inspectable {
  public func inspect() throws(StorageError) -> InspectionReport { try folder.report() }

  public func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try folder.entries(withPrefix: prefix)
  }

  public func bytes(of entry: String) throws(StorageError) -> Data? { try read(entry) }
}

/// A folder of files opened by the inspector: no lock, no temporary, no time stamp.
struct InspectedFolder: Inspectable {
  let folder: EntryFolder

  func inspect() throws(StorageError) -> InspectionReport { try folder.report() }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try folder.entries(withPrefix: prefix)
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    guard let opened = try folder.open(entry) else { return nil }
    return try opened.readAll()
  }
}

extension EntryFolder {
  fileprivate func report() throws(StorageError) -> InspectionReport {
    let entries = try entries(withPrefix: "")
    // What a dead writer left: the entries are shown as the batch makes them, but nothing is put in place.
    let pending = try PendingBatch.read(in: root).map { $0.steps.count }
    return InspectionReport(
      format: suffix.isEmpty ? "files 1" : "files 1 (\(suffix))", entryCount: entries.count,
      byteCount: entries.reduce(0) { $0 + ($1.byteCount ?? 0) }, isConfidential: false,
      facts: pending.map { [.init("pending batch", "\($0) files")] } ?? [])
  }

  fileprivate func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try amidNoBatch { () throws(StorageError) in
      var entries: [InspectionEntry] = []
      // Sizes through the same batch as names: the next one may be committed between the two.
      let (names, batch) = try listed(withPrefix: prefix)
      for name in names {
        guard let opened = try open(name, through: batch) else { continue }
        entries.append(InspectionEntry(name: name, byteCount: opened.size))
      }
      return entries
    }
  }
}

extension StoreOpener {
  /// Opens folders with one file a value.
  public static var files: StoreOpener { folder("files", suffix: "") }

  /// Opens folders with one property list a value.
  public static var propertyLists: StoreOpener { folder("propertyLists", suffix: ".plist") }

  private static func folder(_ scheme: String, suffix: String) -> StoreOpener {
    StoreOpener(scheme: scheme) { url in
      let path = url.path(percentEncoded: false)
      guard let root = try? Folder.open(path) else { return false }
      return (try? StoreMarker.suffix(in: root)) == suffix
    } open: { (url, _) throws(StorageError) in
      do throws(StorageError) {
        let folder = try EntryFolder(at: url.path(percentEncoded: false), suffix: suffix)
        try StoreMarker.check(suffix, in: folder.root)
        return InspectedFolder(folder: folder)
      } catch {
        throw error.naming(backend: scheme)
      }
    }
  }
}
