#if SyncServer
  import Foundation

  extension RequestGenerator {
    /// Bytes whose request line or fields do not conform to HTTP, or contradict each other.
    mutating func malformedHead(_ body: Data) -> GeneratedRequest {
      if number(2) == 0 {
        let line = choice(Self.lines) + choice(["\r\n", "\n", "\r", ""])
        let end = choice(["Host: localhost\r\n\r\n", "\r\n", "\n\n", ""])
        return incomplete("request line", Data((line + end).utf8))
      }
      let fields = """
        POST /sync/v1/push HTTP/1.1\r
        Host: localhost\r
        Authorization: Bearer \(material.token)\r
        Content-Type: \(HTTPRequestText.mediaType)\r
        \(choice(Self.fields))\r
        \r

        """
      return incomplete("fields", Data(fields.utf8) + body)
    }

    private static let lines = [
      "GET", "GET /", "GET /sync/v1/events HTTP/9.9", "GET /sync/v1/events HTTP/0.9",
      "GET /sync/v1/events HTTP/1.1.1", "get /sync/v1/events http/1.1", "BREW /coffee HTTP/1.1",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n", "POST  /sync/v1/push HTTP/1.1",
      "POST /sync/v1/push x HTTP/1.1", "POST sync/v1/push HTTP/1.1", "POST /\u{0} HTTP/1.1",
      "CONNECT example.org:443 HTTP/1.1", "OPTIONS * HTTP/1.1", "HEAD /sync/v1/push HTTP/1.1",
      "\r\n\r\n\r\nPOST", " POST /sync/v1/push HTTP/1.1", "POST http://[::1 HTTP/1.1",
      "POST /sync/v1/push\tHTTP/1.1", "POST /\u{e9} HTTP/1.1", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
      "HTTP/1.1 200 OK",
    ]

    private static let fields = [
      "no colon", ": no name", "two words: x", "X: \u{0}", "X\u{e9}: x", " X: x", "X: a\r\n b",
      "Host: a\r\nHost: b", "Transfer-Encoding: chunked\r\nContent-Length: 5",
      "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked",
      "Transfer-Encoding: identity", "Content-Length: -1", "Content-Length: +5",
      "Content-Length: 0x10", "Content-Length: 5, 5", "Content-Length: 5 5", "Content-Length: 1e3",
      "Content-Length: 18446744073709551616", "Content-Length:", "Content-Length: NaN",
      "Content-Length: 5\r\nContent-Length: 6", "Expect: 100-continue\r\nContent-Length: 50",
      "Expect: x\r\nContent-Length: 9", "Connection: upgrade\r\nUpgrade: websocket",
      "Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
      "Connection: close, keep-alive", "Authorization: Bearer x\r\nContent-Length: 9",
      "Content-Type: text/plain\r\nContent-Length: 9", "Request-Identifier: x\r\nContent-Length: 9",
      "X:\t\t\t\r\nContent-Length: 9", "Trailer: X\r\nTransfer-Encoding: chunked",
    ]
  }
#endif
