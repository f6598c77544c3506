#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSQLite

  /// The command that copies the data of a server.
  struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup", abstract: "Copy the data of a server, which may run meanwhile.")

    @Argument(help: "The folder of the copy, which must not exist.")
    var folder: String

    @OptionGroup var data: DataArguments

    func run() async throws {
      let settings = try Settings([], data)
      try OpenedStore.requireSQLite(settings, to: "back up")
      let source = DataFolder(try settings.folder())
      let files = source.storeFiles()
      guard !files.isEmpty else {
        _ = try source.openExistingStore()
        return
      }
      let target = DataFolder(URL(filePath: folder))
      guard !FileManager.default.fileExists(atPath: target.url.path) else {
        throw StorageError(
          .misuse, "cannot back up to \(quoted(folder)): the folder exists",
          suggestion: "state a new folder")
      }
      try target.create()
      for file in files {
        try Self.copy(file, to: target.storeFolder.appending(path: file.lastPathComponent))
      }
      // The tokens are copied last, so that a token of the copy is never older than its rows.
      try Self.copy(source.tokensFile, to: target.tokensFile)
      print("Copied \(files.count + 1) files to \(escaped(folder)).")
    }

    /// Copies one consistent state of a database file.
    static func copy(_ file: URL, to target: URL) throws {
      let database = try Database(at: file, DatabaseOptions(lockTimeout: .seconds(30)))
      try database.backUp(to: target)
      try database.close()
    }
  }
#endif
