#if SyncServer
  import Foundation

  extension RequestGenerator {
    /// Requests that arrive in many parts, and connections that stay open without a request.
    mutating func slow() -> GeneratedRequest {
      let request = push(choice(material.processed))
      switch number(20) {
      case 0..<9:
        return slow("slow push", parts(request.data), .answers(1), [200, 408])
      case 9: return slow("idle", [], .close(after: pause(100)))
      case 10: return slow("slow end", parts(beginning(request.data)), .close(after: pause(20)))
      case 11:
        let unsent = push(material.unsent)
        return slow("slow unsent push", parts(beginning(unsent.data)), .close(after: .zero))
      case 12, 13:
        let path = "/sync/v1/events?scope=\(material.scope)"
        let stream = HTTPRequestText(get: path, material.token).data
        return slow("unread events", [stream], .close(after: pause(200)))
      case 14, 15:
        let body =
          #"{"protocol":1,"scopes":{"\#(material.scope)":\#(material.head)},"milliseconds":60000}"#
        let wait = HTTPRequestText("wait", material.token, Data(body.utf8)).data
        return slow("unread wait", parts(wait), .close(after: pause(200)))
      case 16:
        let pull = HTTPRequestText("pull", material.token, material.pull).data
        return slow("unread pages", [pull + pull + pull], .close(after: pause(200)))
      case 17: return slow("no request", [], .serverLimit)
      case 18: return slow("no end of the head", parts(beginning(request.head)), .serverLimit)
      default:
        let body = beginning(material.unsent)
        return slow(
          "no end of the body", [push(material.unsent).head + body], .serverLimit, [408])
      }
    }

    private func slow(
      _ name: String, _ parts: [Data], _ ending: GeneratedRequest.Ending,
      _ statuses: Set<Int> = GeneratedRequest.regularStatuses
    ) -> GeneratedRequest {
      GeneratedRequest(
        kind: .slow, name: name, parts: parts, pause: .milliseconds(5), ending: ending,
        statuses: statuses)
    }

    private mutating func pause(_ milliseconds: Int) -> Duration {
      .milliseconds(number(milliseconds))
    }

    /// Divides bytes into at most twenty parts.
    private mutating func parts(_ data: Data) -> [Data] {
      let cuts = (0..<19).map { _ in number(data.count) }.sorted()
      return zip([0] + cuts, cuts + [data.count]).map { Data(data[$0..<$1]) }
    }
  }
#endif
