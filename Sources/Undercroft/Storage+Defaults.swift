public import UndercroftCore
import UndercroftFiles
public import UndercroftFoundation
import UndercroftInspection
import UndercroftKeyValue
import UndercroftSQLite

#if Secrets
  import UndercroftSecrets
#endif

extension Storage {
  /// Creates a storage with the default backend for every kind, in the
  /// platform's directories for the application.
  ///
  /// Without the trait "Secrets" of the package, secrets have no default backend.
  ///
  /// No backend is opened and no file is written before the first use of a kind.
  public init(application: String) throws(StorageError) {
    try self.init(StorageDirectories(application: application), application: application)
  }

  /// Creates a storage with the default backend for every kind, all in one directory.
  ///
  /// - Parameters:
  ///   - home: the directory of all data.
  ///   - keys: the directory of the vault's key file. If `keys` is `nil`, the key file
  ///     is in `home` as well, and a copy of `home` is sufficient to read the secrets.
  public init(home: URL, keys: URL? = nil) throws(StorageError) {
    try self.init(StorageDirectories(home: home, keys: keys), application: nil)
  }

  /// Creates a storage with the default backend for every kind, in the given directories.
  ///
  /// Before the first use of a kind, the storage writes a manifest to the data
  /// directory. Tools read the manifest to find the store of each kind.
  public init(
    _ directories: StorageDirectories, application: String? = nil
  ) throws(StorageError) {
    let home = directories.data
    self.init { (routes) throws(StorageError) in
      try ManifestWriter.write(
        StorageManifest(application: application, home: home, routes), to: home)
    }
    try use(.settings(at: home.appending(path: "settings")), for: .preference)
    #if Secrets
      try use(
        .vault(
          at: home.appending(path: "secrets/vault"),
          unlockedBy: .keyFile(directories.configuration.appending(path: "vault.key"))),
        for: .secret)
    #endif
    try use(.propertyLists(in: home.appending(path: "documents")), for: .document)
    try use(.singleFile(at: home.appending(path: "archive")), for: .archive)
    try use(.files(in: home.appending(path: "blobs")), for: .blob, as: .bytes)
    try use(.files(in: directories.cache), for: .cache)
    try use(.sqlite(at: home.appending(path: "records.sqlite")), for: .record)
  }

  /// Creates a storage for tests.
  ///
  /// The storage stores every kind in memory, and rows in an in-memory SQLite database.
  ///
  /// If the caller then chooses a backend on disk for a kind, the storage validates
  /// the choice, and uses an in-memory backend instead. A test can therefore call the
  /// function that chooses the backends of an application. A chosen backend without a
  /// location on disk, such as a backend that the test creates, is not replaced.
  public static func inMemory() throws(StorageError) -> Storage {
    var storage = Storage(substituting: memory(insteadOf:))
    try storage.use(.memory, for: .preference)
    try storage.use(.memory, for: .secret)
    try storage.use(.memory, for: .document, as: .propertyList)
    try storage.use(.memory, for: .archive)
    try storage.use(.memory, for: .blob, as: .bytes)
    try storage.use(.memory, for: .cache)
    try storage.use(.sqliteInMemory, for: .record)
    return storage
  }

  private static func memory(insteadOf choice: BackendChoice) -> BackendChoice {
    if choice.url == nil { return choice }
    if let inMemory = choice.inMemory { return inMemory() }
    return choice.capabilities.contains(.relational) ? .sqliteInMemory : .memory
  }
}
