#if SyncHTTP
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// The messages by which a server reports that scopes have changed.
  enum PokeMessage {
    /// Returns the poke in an event, or `nil` if the event is no poke.
    static func poke(_ event: ServerEvent) -> SyncPoke? {
      guard event.type == "poke",
        case .object(let members)? = try? JSONReader.read(Data(event.data.utf8)),
        case .string(let scope)? = members[ExactString("scope")],
        case .integer(let head)? = members[ExactString("head")]
      else { return nil }
      return SyncPoke(scope: ScopeIdentifier(scope), head: head)
    }

    /// Returns a request to answer when the head of a scope differs from the given one.
    static func wait(_ heads: [ScopeIdentifier: Int64], milliseconds: Int64) -> Data {
      var scopes: [ExactString: JSONValue] = [:]
      for (scope, head) in heads { scopes[scope.exact] = .integer(head) }
      return JSONWriter.data(
        .object([
          ExactString("milliseconds"): .integer(milliseconds),
          ExactString("protocol"): .integer(Int64(syncProtocolVersion)),
          ExactString("scopes"): .object(scopes),
        ]))
    }

    /// Returns the heads of the scopes in the answer to such a request, or `nil` if it is no such
    /// answer.
    static func heads(_ answer: Data) -> [SyncPoke]? {
      guard case .object(let members)? = try? JSONReader.read(answer),
        case .object(let scopes)? = members[ExactString("scopes")]
      else { return nil }
      return scopes.compactMap { scope, head in
        guard case .integer(let head) = head else { return nil }
        return SyncPoke(scope: ScopeIdentifier(scope.text), head: head)
      }
    }
  }
#endif
