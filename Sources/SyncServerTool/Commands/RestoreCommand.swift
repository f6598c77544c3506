#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSQLite
  import UndercroftSync

  /// The command that creates the data of a server from a backup.
  struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore",
      abstract: "Create the data of a server from a backup, with a new epoch for each scope.",
      discussion: """
        With the new epochs, the replicas pull a snapshot, after which their rows are those of the \
        server. Then they push the changes that are still in their queues. The tokens are those of \
        the backup. The server must not run. If another tool has restored a PostgreSQL database, \
        state --epochs-only and no folder.
        """)

    @Argument(help: "The folder that the command backup has written.")
    var folder: String?

    @Flag(help: "Only begin a new epoch for each scope of the existing data.")
    var epochsOnly = false

    @OptionGroup var data: DataArguments

    func validate() throws {
      if epochsOnly == (folder != nil) {
        throw ValidationError("State either the folder of a backup or --epochs-only.")
      }
    }

    func run() async throws {
      let settings = try Settings([], data)
      guard let folder else {
        let store = try OpenedStore.open(settings, mustExist: true)
        let lock =
          try settings.postgres() == nil ? DataLock(DataFolder(try settings.folder())) : nil
        defer { withExtendedLifetime(lock) {} }
        return Self.report(try Self.beginEpochs(in: store))
      }
      try OpenedStore.requireSQLite(settings, to: "restore")
      let source = DataFolder(URL(filePath: folder))
      try source.requireBackup()
      let target = DataFolder(try settings.folder())
      try target.create()
      let lock = try DataLock(target)
      defer { withExtendedLifetime(lock) {} }
      Self.report(try Self.restore(source, to: target))
    }

    private static func report(_ count: Int) {
      print(count == 1 ? "Began a new epoch of 1 scope." : "Began new epochs of \(count) scopes.")
    }

    /// Copies a backup, and returns the number of its scopes.
    ///
    /// The store gets its name only after the epochs have changed, so that no server uses it
    /// earlier.
    private static func restore(_ source: DataFolder, to target: DataFolder) throws -> Int {
      let files = source.storeFiles()
      let manager = FileManager.default
      // A restoration that was interrupted has left its own copy of the tokens.
      let hasTokens =
        manager.fileExists(atPath: target.tokensFile.path)
        && !manager.fileExists(atPath: target.restorationFolder.path)
      guard target.storeFiles().isEmpty, !hasTokens else {
        throw StorageError(
          .misuse, "cannot restore to \(quoted(target.url.path)): the folder contains data",
          suggestion: "move the data away, or state another folder in --data")
      }
      if manager.fileExists(atPath: target.restorationFolder.path) {
        try manager.removeItem(at: target.restorationFolder)
      }
      for file in files {
        try BackupCommand.copy(
          file, to: target.restorationFolder.appending(path: file.lastPathComponent))
      }
      let store = try SQLiteSyncStore(at: target.restorationFolder, shards: files.count)
      let count = try beginEpochs(in: store)
      try store.close()
      try BackupCommand.copy(source.tokensFile, to: target.tokensFile)
      try manager.moveItem(at: target.restorationFolder, to: target.storeFolder)
      return count
    }

    private static func beginEpochs(in store: any SyncServerStore) throws -> Int {
      let server = SyncServer(store: store, access: { _, _ in .none })
      let scopes = try store.scopes()
      for scope in scopes { try server.restoreEpoch(of: scope) }
      return scopes.count
    }
  }
#endif
