#if SyncServer
  import ArgumentParser

  /// The command-line tool `undercroft-sync-server`.
  @main struct SyncServerTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "undercroft-sync-server",
      abstract: "Serve the synchronisation of databases over HTTP.",
      discussion: """
        An option can also be stated in the environment, such as UNDERCROFT_SYNC_PORT for --port, \
        or in the JSON file of --config. Options precede the environment, which precedes the file.
        """,
      subcommands: [
        ServeCommand.self, TokenCommand.self, ScopesCommand.self, CompactCommand.self,
        BackupCommand.self, RestoreCommand.self, VerifyCommand.self,
      ], defaultSubcommand: ServeCommand.self)
  }
#else
  /// A tool that reports that it was built without the trait SyncServer.
  @main enum SyncServerTool {
    static func main() {
      print("undercroft-sync-server was built without the package trait SyncServer")
    }
  }
#endif
