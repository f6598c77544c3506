import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// A conversion of a store of named values to a new store of another backend.
struct StoreConversion {
  let source: DiscoveredStore
  /// The factory of the backend of the new store.
  let factory: StoreInspectorFactory
  let editing: StoreInspectorFactory.Editing
  /// Whether confidential values may be stored without encryption.
  let mayReveal: Bool
  /// The total size in bytes of values that are written together.
  private static let batchByteCount = 16 << 20

  /// A write that leaves an empty store.
  private static let emptyWrite: [StorageChange] = [
    .set("undercroft", Data()), .remove("undercroft"),
  ]

  /// The numbers that a conversion reports.
  struct Summary {
    var count = 0
    var byteCount = 0
    /// The number of values that are property lists.
    var propertyListCount = 0
  }

  /// Creates the new store at `destination`, which must not exist.
  ///
  /// No file may be beside the destination that would become part of the new store, such as the
  /// journal of a store that was removed.
  ///
  /// The store is built and verified in a temporary folder beside the destination, and then moved.
  func run(to destination: URL) throws -> Summary {
    let item = try NewItem(at: try FilePath.of(destination), suffixes: Self.suffixes(of: factory))
    let building = URL(filePath: item.temporaryPath)
    let opened = try openSource()
    let copying = Progress("converting")
    defer { copying.end() }
    copying.begin(source.name, total: opened.report.entryCount)
    try copy(opened, to: building, copying)
    copying.end()
    try removeCompanions(of: item.temporaryPath)
    // A backend may acknowledge a write before the write is flushed.
    try Descriptor(opening: item.temporaryPath, O_RDONLY).synchronize()
    let verifying = Progress("comparing")
    defer { verifying.end() }
    verifying.begin(source.name, total: opened.report.entryCount)
    let summary = try verify(building, verifying)
    try item.commit()
    return summary
  }

  /// Throws an error if the new store cannot be created at `destination`, because something exists
  /// there.
  static func requireAbsence(of destination: URL, for factory: StoreInspectorFactory) throws {
    try NewItem.requireAbsence(of: try FilePath.of(destination), suffixes: suffixes(of: factory))
  }

  /// The suffixes of the names of files that would become part of a new store.
  private static func suffixes(of factory: StoreInspectorFactory) -> [String] {
    factory.copying.suffixes + factory.copying.omittedSuffixes
  }

  private func openSource() throws -> OpenedStore {
    let opened = try source.open()
    guard !opened.report.isTabular else {
      throw StorageError(
        .notSupported,
        """
        cannot convert \(quoted(source.path)): the database contains tables instead of named values
        """,
        suggestion: "copy the tables with SQL, such as with the program sqlite3")
    }
    return opened
  }

  /// Creates the empty new store.
  ///
  /// - Throws: ``StorageError/Code/locked`` if the backend encrypts values and has no key for this.
  ///   The error of the backend names the temporary path.
  private func create(at url: URL) throws -> any StorageBackend {
    do throws(StorageError) {
      return try editing(url, source.credentials, .zero)
    } catch {
      guard error.code == .locked else { throw error }
      throw StorageError(
        .locked,
        """
        cannot convert \(quoted(source.path)): the backend \(quoted(factory.scheme)) encrypts \
        values, and no key is given, or the key file does not exist
        """,
        suggestion: "pass --key-file with an existing key file, or --ask-passphrase",
        underlying: error)
    }
  }

  /// Copies all values into a new store at `url`, and closes it.
  private func copy(_ opened: OpenedStore, to url: URL, _ progress: Progress) throws {
    let backend = try create(at: url)
    guard mayReveal || !opened.isConfidential || backend.capabilities.contains(.confidential) else {
      throw StorageError(
        .accessDenied,
        """
        cannot convert \(quoted(source.path)): the store is confidential, and the backend \
        \(quoted(factory.scheme)) does not encrypt values
        """,
        suggestion: "pass --reveal to store the values without encryption")
    }
    var batch: [StorageChange] = []
    var byteCount = 0
    try opened.forEachValue { name, bytes in
      progress.advance()
      // Another program may have stored a name that backends do not support.
      _ = try Name.checked(name)
      batch.append(.set(name, bytes))
      byteCount += bytes.count
      if byteCount >= Self.batchByteCount {
        try backend.apply(batch)
        (batch, byteCount) = ([], 0)
      }
      return true
    }
    // Some backends create their file with the first write.
    if try backend.keys(withPrefix: "").isEmpty, batch.isEmpty { batch = Self.emptyWrite }
    try backend.apply(batch)
    // Only the main file is renamed, so that the conversion is atomic.
    try (backend as? any CheckpointingBackend)?.checkpoint()
  }

  /// Removes the lock and the journal beside the main file of a store, which are created again.
  private func removeCompanions(of path: String) throws {
    let name = Folder.name(of: path)
    let folder = try Folder.open(Folder.parent(of: path))
    for other in try Folder.names(in: folder) where !other.isExactly(name) {
      guard unlinkat(folder.raw, other, 0) == 0 else {
        throw StorageError.system("remove", folder.path + "/" + other)
      }
    }
  }

  /// Compares the new store with the source.
  private func verify(_ url: URL, _ progress: Progress) throws -> Summary {
    let (old, new) = (try source.open(), try factory.open(url, source.credentials))
    var summary = Summary()
    try old.forEachValue { name, bytes in
      progress.advance()
      guard try new.bytes(of: name) == bytes else { throw changed }
      summary.count += 1
      summary.byteCount += bytes.count
      if PropertyListText.isOne(bytes) { summary.propertyListCount += 1 }
      return true
    }
    guard try new.entries(withPrefix: "").count == summary.count else { throw changed }
    return summary
  }

  private var changed: StorageError {
    StorageError(
      .busy,
      """
      cannot convert \(quoted(source.path)): the new store differs from the store, because another \
      process changed the store
      """,
      suggestion: "repeat the command when no application writes to the store")
  }
}
