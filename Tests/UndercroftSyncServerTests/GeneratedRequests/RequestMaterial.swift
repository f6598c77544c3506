#if SyncServer
  import Foundation

  /// The messages and tokens from which faulty requests are generated.
  struct RequestMaterial: Sendable {
    /// The scope that no request may change.
    let scope: String
    /// The version of the scope.
    let head: Int64
    /// The valid token of the account of the scope.
    let token: String
    /// The valid token of another account.
    let strangerToken: String
    /// Tokens of the account of the scope that the server must refuse.
    let refusedTokens: [String]
    /// Packets that the server has processed.
    let processed: [Data]
    /// Processed packets of another replica, whose bytes may be changed.
    ///
    /// None is the first one of the replica. A changed packet cannot be the first one of an unknown
    /// replica therefore, which the server would apply.
    let changeable: [Data]
    /// A valid packet that the server has never received completely from the account.
    let unsent: Data
    let hello: Data
    let pull: Data
    let digest: Data
    /// Small bodies in the gzip format that expand to many times ``bodyLimit``.
    let bombs: [Data]
    /// The maximum number of bytes of a body.
    let bodyLimit: Int

    /// Requests for the scope by their endpoints.
    var messages: [(endpoint: String, body: Data)] {
      [("push", changeable[0]), ("hello", hello), ("pull", pull), ("digest", digest)]
    }
  }
#endif
