#if SyncServer
  import Foundation

  extension RequestGenerator {
    /// Valid requests that the server has answered before, or that another account has sent.
    mutating func replayed() -> GeneratedRequest {
      let packet = choice(material.processed)
      let any = choice([packet, material.unsent])
      switch number(6) {
      case 0: return complete("processed packet", push(packet), [200])
      case 1:
        let requests = push(packet).data + push(choice(material.processed)).data
        return GeneratedRequest(
          kind: .replayed, name: "two processed packets", parts: [requests], ending: .answers(2),
          statuses: [200])
      case 2:
        return complete(
          "packet of another account", HTTPRequestText("push", material.strangerToken, any), [403])
      case 3:
        let (endpoint, body) = choice(material.messages)
        return complete(
          "\(endpoint) of another account", HTTPRequestText(endpoint, material.strangerToken, body),
          [403])
      case 4:
        let (endpoint, body) = choice(material.messages + [("push", material.unsent)])
        return complete(
          "\(endpoint) with a refused token",
          HTTPRequestText(endpoint, choice(material.refusedTokens), body), [401])
      default:
        let path = "/sync/v1/events?scope=\(material.scope)"
        let (token, status) =
          number(2) == 0
          ? (material.strangerToken, 403) : (choice(material.refusedTokens), 401)
        return complete("events of another account", HTTPRequestText(get: path, token), [status])
      }
    }
  }
#endif
