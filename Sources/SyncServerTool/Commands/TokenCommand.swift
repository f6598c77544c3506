#if SyncServer
  import ArgumentParser

  /// The commands for the tokens of accounts.
  struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token", abstract: "Create, list and revoke the tokens of accounts.",
      subcommands: [
        TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self,
      ])
  }
#endif
