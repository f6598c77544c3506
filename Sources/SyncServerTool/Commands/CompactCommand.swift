#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftInspection
  import UndercroftSync

  /// The command that removes old data.
  struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compact",
      abstract: "Remove old tombstones, operations, conflicts and silent replicas.",
      discussion: "A running server does this each hour.")

    @Argument(help: "The scopes. (default: all)")
    var scopes: [String] = []

    @OptionGroup var data: DataArguments

    func run() async throws {
      let settings = try Settings([], data)
      let store = try OpenedStore.open(settings, mustExist: true)
      let server = SyncServer(store: store, access: { _, _ in .none })
      let existing = try store.scopes()
      let chosen = scopes.isEmpty ? existing.sorted() : scopes.map { ScopeIdentifier($0) }
      let retention = try settings.retention()
      for scope in chosen {
        guard existing.contains(scope) else {
          throw StorageError(
            .misuse, "cannot compact the scope \(quoted(scope.text)): the scope does not exist",
            suggestion: "list the scopes with the command scopes")
        }
        let result = try server.compact(scope, retention: retention)
        print(
          """
          \(escaped(scope.text)): removed \(EnglishText.counted(result.tombstones, "tombstone")), \
          \(EnglishText.counted(result.operations, "operation")), \
          \(EnglishText.counted(result.conflicts, "conflict")) and \
          \(EnglishText.counted(result.replicas, "replica"))
          """)
      }
    }
  }
#endif
