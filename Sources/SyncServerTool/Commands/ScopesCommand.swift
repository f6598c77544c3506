#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftSync

  /// The command that lists the scopes.
  struct ScopesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "scopes", abstract: "List the scopes with their versions and numbers of rows.")

    @OptionGroup var data: DataArguments

    func run() async throws {
      let settings = try Settings([], data)
      let store = try OpenedStore.open(settings, mustExist: true)
      print("scope\tversion\tcompacted\trows\tepoch")
      for scope in try store.scopes().sorted() {
        guard let state = try store.read(in: scope, { try $0.scope() }) else { continue }
        print(
          "\(escaped(scope.text))\t\(state.head)\t\(state.floor)\t\(state.liveRows)\t\(state.epoch)"
        )
      }
    }
  }
#endif
