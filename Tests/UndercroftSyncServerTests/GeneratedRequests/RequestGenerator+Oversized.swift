#if SyncServer
  import Foundation

  extension RequestGenerator {
    /// Requests that are larger than the limits, or that state a wrong length.
    mutating func oversized() -> GeneratedRequest {
      let (packet, limit) = (choice(material.changeable), material.bodyLimit)
      switch number(8) {
      case 0:
        // The server reads as much as it needs to answer before the client has sent everything.
        let body = Data(repeating: 0x20, count: limit + 1 + number(limit))
        return complete("large body", push(body), [413])
      case 1:
        let body = Data(repeating: 0x20, count: 2 * limit + 1 + number(limit))
        return incomplete("larger body", push(body).data)
      case 2:
        let lengths = ["99999999", "9223372036854775807", "18446744073709551615", "1" + zeros(40)]
        let data = push(Data(), unstatedLength: [("Content-Length", choice(lengths))])
        return incomplete("stated length", data + packet)
      case 3:
        let length = number(packet.count)
        return incomplete(
          "too small length", push(packet, unstatedLength: [("Content-Length", "\(length)")]))
      case 4:
        let length = packet.count + 1 + number(limit)
        return incomplete(
          "too large length", push(packet, unstatedLength: [("Content-Length", "\(length)")]))
      case 5:
        let chunk =
          Data("\(String(limit * 3 / 4, radix: 16))\r\n".utf8)
          + Data(repeating: 0x20, count: limit * 3 / 4) + Data("\r\n".utf8)
        return GeneratedRequest(
          kind: .oversized, name: "chunks",
          parts: [chunked(chunk + chunk + Data("0\r\n\r\n".utf8))], ending: .answers(1),
          statuses: [413])
      case 6:
        let sizes = ["ffffffffffffffffff", "7fffffffffffffff", "-1", "x", "", zeros(5_000) + "1"]
        return incomplete("size of chunk", chunked(Data((choice(sizes) + "\r\n").utf8) + packet))
      default: return largeHead(packet)
      }
    }

    private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    private func chunked(_ body: Data) -> Data {
      push(body, unstatedLength: [("Transfer-Encoding", "chunked")])
    }

    private mutating func largeHead(_ body: Data) -> GeneratedRequest {
      var request = push(body)
      let text = String(repeating: "x", count: 33_000 + number(100_000))
      switch number(5) {
      case 0: request.fields.append(("X", text))
      case 1: request.fields += (0..<101 + number(1_000)).map { ("X-\($0)", "x") }
      case 2: request.fields += (0..<40).map { ("X-\($0)", String(text.prefix(3_000))) }
      case 3: request.path += "?" + text
      default: request.token = text
      }
      return incomplete("large head", request.data)
    }
  }
#endif
