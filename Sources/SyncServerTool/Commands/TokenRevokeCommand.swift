#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftSyncServer

  /// The command that revokes a token.
  struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke",
      abstract: "Revoke a token. A running server closes its event streams within a second.")

    @Argument(help: "The identifier of the token, as the command token list prints it.")
    var identifier: String

    @OptionGroup var data: DataArguments

    func run() async throws {
      let tokens = try OpenedStore.tokens(try Settings([], data), mustExist: true)
      guard try tokens.revoke(identifier) else {
        throw StorageError(
          .misuse,
          "cannot revoke the token \(quoted(identifier)): there is no such token that is not revoked",
          suggestion: "find its identifier with the command token list")
      }
      print("Revoked the token \(escaped(identifier)).")
    }
  }
#endif
