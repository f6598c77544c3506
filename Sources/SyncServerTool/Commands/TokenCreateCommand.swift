#if SyncServer
  import ArgumentParser
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncServer

  /// The command that creates a token.
  struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a token, and print it once.",
      discussion: "A scope can end with an asterisk, such as 'team:*', or be '*' for all scopes.")

    @Argument(help: "The name of the account.")
    var account: String

    @Option(help: "A scope that the account may read and change. The option can be repeated.")
    var scope: [String] = []

    @Option(help: "A scope that the account may read. The option can be repeated.")
    var readScope: [String] = []

    @Option(help: "The days after which the token expires. (default: never)")
    var days: Double?

    @OptionGroup var data: DataArguments

    func validate() throws {
      if scope.isEmpty, readScope.isEmpty {
        throw ValidationError("A token needs at least one scope. State it with --scope.")
      }
      if let days, !(days > 0 && days < 1e6) {
        throw ValidationError("--days needs a positive number of days.")
      }
    }

    func run() async throws {
      let tokens = try OpenedStore.tokens(try Settings([], data), mustExist: false)
      let rules = scope.map { ScopeRule($0) } + readScope.map { ScopeRule($0, .read) }
      let (token, secret) = try tokens.create(
        account: account, rules: rules,
        expiration: days.map { Date().addingTimeInterval($0 * 86_400) })
      // Only the secret is on the standard output, so that a script can store it.
      print(secret)
      StandardError.append(
        Data("Created the token \(token.identifier), which is shown only once.\n".utf8))
    }
  }
#endif
