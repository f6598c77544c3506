#if SyncServer
  import Logging
  import UndercroftSyncServer

  /// The token that the first start of a server creates.
  enum FirstToken {
    static let account = "owner"

    /// Creates the token, and prints it with an example, unless another process has created one.
    ///
    /// - Parameter isShared: whether the tokens are in a PostgreSQL database.
    static func create(
      in tokens: TokenStore, isShared: Bool, at address: ServerAddress, _ logger: Logger
    ) {
      do {
        guard let secret = try tokens.createFirst(account: account, rules: [ScopeRule("*")])
        else { return }
        print(
          """
          This is the first start with this \(isShared ? "database" : "folder"). A token was created, which is shown only once:

              \(secret)

          The token grants the account "\(account)" access to all scopes of the server
          \(address.clientText)

          Connect an application:

              HTTPSyncPeer(server: URL(string: "\(address.clientText)")!) { _ in token }

          Create a token for another account:

              undercroft-sync-server token create ACCOUNT --scope 'user:7' \(isShared ? "--postgres CONNECTION" : "--data DIR")
          """)
        StandardOutput.flush()
      } catch {
        logger.error("cannot create the first token", metadata: ["error": "\(error)"])
      }
    }
  }
#endif
