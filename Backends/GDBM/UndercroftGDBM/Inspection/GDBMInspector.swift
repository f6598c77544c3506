import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection
import UndercroftKeyValue

/// An inspector of a GDBM file, together with the journal beside it if there is one.
///
/// The inspector acquires no lock, reads the present state of the file at each call, and never
/// reads a whole file into memory.
final class GDBMInspector: SearchableStore, OrderedStore, ByteNamedStore {
  private let path: String
  private let files: Mutex<GDBMFiles>

  init(at url: URL) throws(StorageError) {
    let path = try FilePath.ofFile(at: url)
    self.path = path
    files = Mutex(
      try StorageError.naming(backend: "gdbm") { () throws(StorageError) in
        try SQLiteFile.reject(at: path)
        let files = try GDBMFiles(path)
        _ = try files.reader.header()
        return files
      })
  }

  func inspect() throws(StorageError) -> InspectionReport {
    try withFiles { (files) throws(StorageError) in try files.report() }
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    var entries: [InspectionEntry] = []
    do {
      try forEachEntry(withPrefix: prefix) { entry in
        entries.append(entry)
        return true
      }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.io, "cannot read \(quoted(path))", underlying: error)
    }
    return entries.sorted(byBytesOf: \.name)
  }

  func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    // No lock is held during the calls of `body`, which may read values.
    let files = try withFiles { (files) throws(StorageError) in files }
    do {
      try files.forEachEntry(withPrefix: prefix, body)
    } catch let error as StorageError {
      throw error.naming(backend: "gdbm")
    }
  }

  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    // No lock is held during the calls of `body`, which may read values.
    let files = try withFiles { (files) throws(StorageError) in files }
    do {
      try files.forEachValue(withPrefix: prefix, body)
    } catch let error as StorageError {
      throw error.naming(backend: "gdbm")
    }
  }

  func forEachName(
    withPrefix prefix: String, matching filter: ValueFilter,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool
  ) throws {
    // No lock is held during the calls of `body`, which may read values.
    let files = try withFiles { (files) throws(StorageError) in files }
    do {
      try files.forEachName(withPrefix: prefix, matching: filter, body)
    } catch let error as StorageError {
      throw error.naming(backend: "gdbm")
    }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? {
    try withFiles { (files) throws(StorageError) in try files.bytes(of: entry) }
  }

  func bytes(ofName name: Data) throws(StorageError) -> Data? {
    try withFiles { (files) throws(StorageError) in try files.bytes(ofName: name) }
  }

  func check() throws(StorageError) -> CheckResult {
    try withFiles { (files) throws(StorageError) in
      let journal = files.journal?.damage.map { ["\($0)"] } ?? []
      return CheckResult(damage: try files.reader.damage() + journal)
    }
  }

  private func withFiles<Result>(
    _ body: (GDBMFiles) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try StorageError.naming(backend: "gdbm") { () throws(StorageError) in
      let present = try files.withLock { (files) throws(StorageError) in
        if try !files.isCurrent() { files = try GDBMFiles(path) }
        return files
      }
      return try body(present)
    }
  }
}
