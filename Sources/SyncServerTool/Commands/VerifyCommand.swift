#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSQLite
  import UndercroftSync

  /// The command that examines the data of a server.
  struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Read all data of a server, and report contradictions. The server may run.")

    @OptionGroup var data: DataArguments

    func run() async throws {
      let settings = try Settings([], data)
      let store = try OpenedStore.open(settings, mustExist: true)
      var problems: [String] = []
      if try settings.postgres() == nil {
        let folder = DataFolder(try settings.folder())
        for file in folder.storeFiles() + [folder.tokensFile] {
          let database = try Database(at: file, DatabaseOptions(lockTimeout: .seconds(30)))
          problems += try database.integrityCheck().map { "\(file.lastPathComponent): \($0)" }
          try database.close()
        }
      }
      let server = SyncServer(store: store, access: { _, _ in .none })
      let scopes = try store.scopes().sorted()
      for scope in scopes {
        problems += try server.verify(scope).map { "scope \(quoted(scope.text)): \($0)" }
      }
      for problem in problems { print(problem) }
      guard problems.isEmpty else {
        print("Found \(problems.count) problem\(problems.count == 1 ? "" : "s").")
        throw ExitCode.failure
      }
      print("Verified \(scopes.count) scope\(scopes.count == 1 ? "" : "s").")
    }
  }
#endif
