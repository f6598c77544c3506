import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// An inspector of a single-file store, which reads the file again when it was replaced, and never
/// locks it.
final class SingleFileInspector: Inspectable {
  private let path: String
  private let limit: Int
  private let mayBeAbsent: Bool
  private let loaded: Mutex<LoadedFile>

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - limit: the maximum total size of all names and values in bytes.
  ///   - mayBeAbsent: whether a missing file is treated as an empty store, as a backend treats it.
  init(path: String, limit: Int, mayBeAbsent: Bool = false) throws(StorageError) {
    self.path = path
    self.limit = limit
    self.mayBeAbsent = mayBeAbsent
    loaded = Mutex(try Self.load(path, limit: limit, mayBeAbsent: mayBeAbsent))
  }

  func inspect() throws(StorageError) -> InspectionReport {
    try withFile { (file) throws(StorageError) in
      let size = file.entries.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.count }
      var report = InspectionReport(
        format: "single file 1", entryCount: file.entries.count, byteCount: file.byteCount,
        isConfidential: false, facts: [.init("uncompressed", "\(size) bytes")])
      report.isReadAsWhole = true
      return report
    }
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try present().filter { $0.key.begins(with: prefix) }
      .sorted { $0.key < $1.key }
      .map { InspectionEntry(name: $0.key.text, byteCount: $0.value.count) }
  }

  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    let values = try present()
    for name in values.keys.names(withPrefix: prefix) {
      guard let bytes = values[name.exact] else { continue }
      guard try body(name, bytes) else { return }
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? { try present()[entry.exact] }

  func check() throws(StorageError) -> CheckResult {
    // Reading the file verifies its checksum.
    _ = try present()
    return CheckResult()
  }

  /// Returns the present entries of the store by name.
  func present() throws(StorageError) -> [ExactString: Data] {
    try withFile { (file) throws(StorageError) in file.entries }
  }

  /// Runs `body` on the file, which is read again if it was replaced.
  private func withFile<Result>(
    _ body: (borrowing LoadedFile) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try loaded.withLock { (file) throws(StorageError) in
      if try !file.isCurrent(path) {
        file = try Self.load(path, limit: limit, mayBeAbsent: mayBeAbsent)
      }
      return try body(file)
    }
  }

  private static func load(
    _ path: String, limit: Int, mayBeAbsent: Bool
  ) throws(StorageError) -> LoadedFile {
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
