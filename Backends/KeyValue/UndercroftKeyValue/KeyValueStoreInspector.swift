import Synchronization
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// An inspector of a journalled store, which consists of a snapshot file and a journal.
///
/// Each call reads what was written since the last call, without acquiring the lock of the store,
/// and changes nothing.
final class KeyValueStoreInspector: OrderedStore {
  private let files: StoreFiles
  private let format: any SnapshotFormat

  private let opened = Mutex(Opened())

  init(at url: URL, format: any SnapshotFormat) throws(StorageError) {
    files = try StoreFiles(url)
    self.format = format
    _ = try current()
  }

  func inspect() throws(StorageError) -> InspectionReport {
    let contents = try current()
    return contents.values.report(format, files, contents.damage)
  }

  func entries(withPrefix prefix: String) throws(StorageError) -> [InspectionEntry] {
    try current().values.list(prefix)
  }

  func forEachEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    for entry in try current().values.list(prefix) where try !body(entry) { return }
  }

  func forEachSortedEntry(
    withPrefix prefix: String, _ body: (InspectionEntry) throws -> Bool
  ) throws {
    try current().values.entryBuffer(prefix).forEachSorted(body)
  }

  func forEachValue(
    withPrefix prefix: String, _ body: (_ name: String, _ bytes: Data) throws -> Bool
  ) throws {
    for (name, bytes) in try current().values.sorted(withPrefix: prefix)
    where try !body(name, bytes) { return }
  }

  func bytes(of entry: String) throws(StorageError) -> Data? { try current().values[entry.exact] }

  func check() throws(StorageError) -> CheckResult {
    // Reading the store verifies the checksum of each entry.
    CheckResult(damage: try current().damage.map { ["\($0)"] } ?? [])
  }

  /// Returns the present values and the damage of the journal.
  ///
  /// A snapshot without a journal, such as one that another program wrote, is a complete store.
  private func current() throws(StorageError) -> Contents {
    try StorageError.naming(backend: format.name) { () throws(StorageError) in
      try opened.withLock { (opened) throws(StorageError) in
        // A backup can be restored without a change of the journal.
        let version = try FileVersion(at: files.snapshot)
        if version == nil || opened.version != version { opened = try Opened(files) }
        guard try Folder.hasEntry(at: files.journal) else { return try snapshot(&opened) }
        opened.values = nil
        do throws(StorageError) {
          // Reads only the batches that were appended since the last call.
          _ = try opened.store?.refresh()
        } catch {
          opened.store = nil
        }
        if let contents = opened.contents { return contents }
        opened.store = try OpenStore.open(files, format, O_RDONLY, recovering: true)
        return opened.contents ?? Contents(values: [:], damage: nil)
      }
    }
  }

  private func snapshot(_ opened: inout Opened) throws(StorageError) -> Contents {
    opened.store = nil
    if let values = opened.values { return Contents(values: values, damage: nil) }
    guard let values = try format.read(files.snapshot) else {
      throw StorageError(
        .unavailable, "cannot open \(quoted(files.snapshot)): the file does not exist",
        suggestion: "check the path of the store")
    }
    opened.values = values
    return Contents(values: values, damage: nil)
  }
}

/// The values of a store, and the damage of its journal.
private struct Contents {
  let values: [ExactString: Data]
  let damage: StoreDamage?
}

/// The store as it was last read.
private struct Opened: ~Copyable {
  /// The version of the snapshot before it was read, or `nil` if there was no snapshot.
  let version: FileVersion?
  /// A descriptor of the snapshot, which stays open so that no later file can have its version.
  private let snapshot: Descriptor?
  /// The store with its journal, or `nil` if it is not read, or if there is no journal.
  var store: OpenStore?
  /// The values of a snapshot without a journal, or `nil` if it is not read.
  var values: [ExactString: Data]?

  /// Creates the state before the first call.
  init() {
    version = nil
    snapshot = nil
  }

  init(_ files: StoreFiles) throws(StorageError) {
    guard try Folder.hasEntry(at: files.snapshot) else {
      version = nil
      snapshot = nil
      return
    }
    let snapshot = try Descriptor(regularFile: files.snapshot, O_RDONLY)
    version = FileVersion(try snapshot.status())
    self.snapshot = consume snapshot
  }

  var contents: Contents? {
    switch store {
    case .none: nil
    case .some(let store): Contents(values: store.values, damage: store.damage)
    }
  }
}
