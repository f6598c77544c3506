#if SyncServer
  import Foundation

  extension RequestGenerator {
    /// Valid requests whose last bytes are missing, after which the client closes the connection.
    mutating func truncated() -> GeneratedRequest {
      let request: Data
      let name: String
      switch number(4) {
      case 0:
        (name, request) = ("push", push(choice(material.processed)).data)
      case 1:
        let (endpoint, body) = choice(material.messages)
        (name, request) = (endpoint, HTTPRequestText(endpoint, material.token, body).data)
      case 2:
        let packet = choice(material.processed)
        let chunk = Data("\(String(packet.count, radix: 16))\r\n".utf8) + packet
        let fields = [("Transfer-Encoding", "chunked")]
        (name, request) = (
          "chunks", push(chunk + Data("\r\n0\r\n\r\n".utf8), unstatedLength: fields)
        )
      default:
        // The server must not apply any part of a packet that has not arrived completely.
        (name, request) = ("unsent push", push(material.unsent).data)
      }
      return incomplete(
        "truncated \(name)", beginning(request),
        number(2) == 0 ? .endOfRequest : .close(after: .zero))
    }
  }
#endif
