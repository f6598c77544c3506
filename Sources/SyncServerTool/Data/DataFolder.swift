#if SyncServer
  import UndercroftCore
  import UndercroftFileSystem
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncServer

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The folder with the data of a server.
  struct DataFolder: Sendable {
    let url: URL

    /// The number of SQLite files of a new store.
    private static let defaultShards = 4

    init(_ url: URL) { self.url = url }

    /// The file with the tokens.
    var tokensFile: URL { url.appending(path: "accounts.sqlite") }

    /// The folder with the SQLite files of the scopes.
    var storeFolder: URL { url.appending(path: "store") }

    /// The folder of a restoration that is not complete.
    var restorationFolder: URL { url.appending(path: "store.restoring") }

    /// The SQLite files of the scopes, in the order of their numbers.
    func storeFiles() -> [URL] {
      var files: [URL] = []
      while true {
        let file = storeFolder.appending(path: "sync-\(files.count).sqlite")
        guard FileManager.default.fileExists(atPath: file.path) else { return files }
        files.append(file)
      }
    }

    /// Creates the folder, which only its owner can read.
    func create() throws(StorageError) { try Folder.create(url.path) }

    /// Opens the tokens.
    func openTokens() throws -> TokenStore { try TokenStore(at: tokensFile) }

    /// Throws ``StorageError/Code/unavailable`` if the folder contains no tokens, so that a command
    /// that only reads them creates no file.
    func requireTokens() throws(StorageError) {
      guard !FileManager.default.fileExists(atPath: tokensFile.path) else { return }
      throw Self.missing(url)
    }

    /// Throws if the folder contains no complete backup, of which the tokens are the last file.
    func requireBackup() throws(StorageError) {
      let hasTokens = FileManager.default.fileExists(atPath: tokensFile.path)
      let hasScopes = !storeFiles().isEmpty
      if hasTokens && hasScopes { return }
      throw StorageError(
        .unavailable,
        """
        cannot restore \(quoted(url.path)): \
        \(hasScopes ? "the backup is not complete" : "the folder contains no backup")
        """,
        suggestion: "state a folder that the command backup has written without an error")
    }

    /// Returns the error for a folder in which this user finds no data.
    private static func missing(_ url: URL) -> StorageError {
      // Without the permission to search a folder, its files seem not to exist.
      if access(url.path, X_OK) != 0, errno == EACCES {
        return StorageError(
          .accessDenied,
          "cannot read the data of a server in \(quoted(url.path)): permission denied",
          suggestion: "run the command as the user of the server")
      }
      return StorageError(
        .unavailable, "cannot find the data of a server in \(quoted(url.path))",
        suggestion: "state the folder with which the server was started in --data")
    }

    /// Opens the scopes, with the number of files that the store has.
    ///
    /// - Parameter shards: the number of files of a new store, or `nil` for the default.
    func openStore(shards: Int? = nil) throws -> SQLiteSyncStore {
      let existing = storeFiles().count
      return try SQLiteSyncStore(
        at: storeFolder, shards: existing > 0 ? existing : shards ?? Self.defaultShards)
    }

    /// Opens the scopes of an existing store.
    ///
    /// - Throws: ``StorageError/Code/unavailable`` if there is no store.
    func openExistingStore() throws -> SQLiteSyncStore {
      guard !storeFiles().isEmpty else { throw Self.missing(url) }
      return try openStore()
    }
  }
#endif
