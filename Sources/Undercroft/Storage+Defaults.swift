public import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSQLite
import UndercroftSecrets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Storage {
  /// Makes a storage with a sensible backend for every kind, in the directories that the platform gives an application.
  ///
  /// Nothing is opened or written before the first use of a kind.
  public init(application: String) throws(StorageError) {
    try self.init(StorageDirectories(application: application), application: application)
  }

  /// Makes a storage with a sensible backend for every kind, all below one directory.
  ///
  /// - Parameter keys: the directory of the vault's key file; without one it is below `home` as well, and whoever gets a copy of
  ///   all that can read the secrets.
  public init(home: URL, keys: URL? = nil) throws(StorageError) {
    try self.init(StorageDirectories(home: home, keys: keys), application: nil)
  }

  /// Makes a storage with a sensible backend for every kind in the given directories.
  ///
  /// Before a kind is opened for the first time a manifest is written into the data directory, from which tools learn where
  /// everything is.
  public init(
    _ directories: StorageDirectories, application: String? = nil
  ) throws(StorageError) {
    let home = directories.data
    self.init { (routes) throws(StorageError) in
      try ManifestWriter.write(
        StorageManifest(application: application, home: home, routes), to: home)
    }
    try use(.settings(at: home.appending(path: "settings")), for: .preference)
    try use(
      .vault(
        at: home.appending(path: "secrets/vault"),
        unlockedBy: .keyFile(directories.configuration.appending(path: "vault.key"))),
      for: .secret)
    try use(.propertyLists(in: home.appending(path: "documents")), for: .document)
    try use(.singleFile(at: home.appending(path: "archive")), for: .archive)
    try use(.files(in: home.appending(path: "blobs")), for: .blob, as: .bytes)
    try use(.files(in: directories.cache), for: .cache)
    try use(.sqlite(at: home.appending(path: "records.sqlite")), for: .record)
  }

  /// Makes a storage that keeps every kind in memory, rows in an in-memory SQLite: the same code on other backends, for tests.
  ///
  /// A backend on disk that is chosen later is checked as ever, and replaced by memory: the function that chooses an application's
  /// backends can be tested as it is. What has no place on disk stays as chosen, such as a backend made by the test itself.
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
