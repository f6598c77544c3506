import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// An inspector of a single-file store, which reads
/// the file again for each call and never locks it.
struct SingleFileInspector: Inspectable {
  let path: String
  let limit: Int
  /// Whether a missing file is treated as an empty store.
  ///
  /// A backend inspects itself with `true`, because it creates the file at the first write.
  var mayBeAbsent = false

  func inspect() throws(StorageError) -> InspectionReport {
    let file = try load()
    let size = file.entries.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.count }
    return InspectionReport(
      format: "single file 1", entryCount: file.entries.count, byteCount: file.byteCount,
      isConfidential: false, facts: [.init("uncompressed", "\(size) bytes")])
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try load().entries.filter { $0.key.begins(with: prefix) }
      .sorted { $0.key < $1.key }
      .map { InspectionEntry(name: $0.key.text, byteCount: $0.value.count) }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? { try load().entries[entry.exact] }

  func load() throws(StorageError) -> LoadedFile {
    try StorageError.naming(backend: "singleFile") { () throws(StorageError) in
      let file = try LoadedFile(path, limit: limit)
      guard mayBeAbsent || !file.isAbsent else {
        throw StorageError(
          .unavailable, "cannot open \(quoted(path)): the file does not exist",
          suggestion: "check the path of the store")
      }
      return file
    }
  }
}
