#if SyncServer
  import Foundation
  import UndercroftSyncCompression

  extension RequestGenerator {
    /// Requests whose bodies expand far over the limit, or are damaged, or have other encodings.
    mutating func compressed() -> GeneratedRequest {
      let (packet, bomb) = (choice(material.processed), choice(material.bombs))
      guard let small = Gzip.compress(packet), let unsent = Gzip.compress(material.unsent)
      else { return complete("bomb", push(bomb, gzip), [413]) }
      switch number(10) {
      case 0, 1: return complete("bomb", push(bomb, gzip), [413])
      case 2:
        let endpoint = choice(["hello", "pull", "digest", "wait"])
        return complete(
          "bomb for \(endpoint)", HTTPRequestText(endpoint, material.token, bomb, fields: gzip),
          [413])
      case 3:
        // The server decompresses a body only once.
        guard let twice = Gzip.compress(bomb) else { fallthrough }
        return complete("bomb in gzip data", push(twice, gzip), [400])
      case 4:
        let encodings = [
          [("Content-Encoding", "gzip, gzip")], gzip + gzip, [("Content-Encoding", "gzip, br")],
        ]
        return complete("two encodings", push(choice([small, bomb]), choice(encodings)), [415])
      case 5:
        let encoding = choice(["br", "deflate", "zstd", "compress", "*", "\u{e9}", "gzip;q=1"])
        return complete("other encoding", push(bomb, [("Content-Encoding", encoding)]), [415])
      case 6:
        // A change of the header of the format can be without effect.
        return complete("damaged packet", push(changed(small), gzip), [200, 400, 413])
      case 7:
        let damaged = changed(bomb, in: 10..<bomb.count)
        return complete("damaged bomb", push(damaged, gzip), [400, 413])
      case 8: return complete("truncated packet", push(beginning(unsent), gzip), [400])
      default:
        let others = [small + small, small + bytes(1 + number(20)), packet, bytes(number(500))]
        return complete("other data", push(choice(others), gzip), [400])
      }
    }

    private var gzip: [(String, String)] { [("Content-Encoding", "gzip")] }
  }
#endif
