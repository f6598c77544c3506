#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncServer

  /// The command that lists the tokens.
  struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the tokens without their secrets.")

    @OptionGroup var data: DataArguments

    func run() async throws {
      let tokens = try OpenedStore.tokens(try Settings([], data), mustExist: true)
      for token in try tokens.tokens() {
        let rules = token.rules.map { $0.access == .read ? "\($0.pattern) (read)" : $0.pattern }
        let facts = [
          "created \(Self.day(token.creation))",
          token.expiration.map { "expires \(Self.day($0))" },
          token.lastUse.map { "last used \(Self.day($0))" } ?? "never used",
          token.revocation.map { "revoked \(Self.day($0))" },
        ]
        let columns = [
          token.identifier, escaped(token.account),
          escaped(rules.sorted().joined(separator: ", ")),
          facts.compactMap { $0 }.joined(separator: ", "),
        ]
        print(columns.joined(separator: "\t"))
      }
    }

    private static func day(_ date: Date) -> String {
      date.formatted(.iso8601.year().month().day())
    }
  }
#endif
