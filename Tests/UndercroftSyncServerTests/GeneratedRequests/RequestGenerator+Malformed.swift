#if SyncServer
  import Foundation
  import UndercroftCore
  import UndercroftSync

  extension RequestGenerator {
    /// Requests with faulty messages, paths, methods and fields, and bytes that are no requests.
    mutating func malformed() -> GeneratedRequest {
      let packet = choice(material.changeable)
      switch number(16) {
      case 0: return complete("cut JSON", push(beginning(packet)), [400])
      case 1: return complete("changed message", push(changed(packet)))
      case 2: return complete("invalid UTF-8", push(withInvalidUTF8(packet)), [400])
      case 3: return complete("other member", push(withOtherMember(packet)))
      case 4: return complete("deep nesting", push(nested()), [400])
      case 5: return complete("other JSON", push(Data(choice(Self.documents).utf8)), [400, 426])
      case 6:
        let (endpoint, body) = (choice(material.messages).endpoint, choice(material.messages).body)
        return complete("other message", HTTPRequestText(endpoint, material.token, body))
      case 7:
        var request = push(packet)
        request.path = choice(Self.paths)
        return complete("unknown path", request, [404])
      case 8:
        var request = push(packet)
        request.method = choice(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
        return complete("other method", request, [405])
      case 9:
        var request = push(packet)
        request.fields = choice(Self.mediaTypes).map { [("Content-Type", $0)] } ?? []
        return complete("other content type", request, [415])
      case 10:
        let fields = choice(Self.credentials).map { [("Authorization", $0)] } ?? []
        return complete("no token", HTTPRequestText("push", nil, packet, fields: fields), [401])
      case 11:
        let body = Data(choice(Self.waits).utf8)
        return complete(
          "faulty wait", HTTPRequestText("wait", material.token, body), [400, 403, 426])
      case 12:
        let path = "/sync/v1/events" + choice(Self.queries)
        return complete("faulty query", HTTPRequestText(get: path, material.token), [400, 403])
      case 13: return malformedHead(packet)
      case 14: return incomplete("random bytes", bytes(1 + number(2_000)))
      default: return incomplete("changed request", changed(push(packet).data))
      }
    }

    // MARK: Messages

    private mutating func withInvalidUTF8(_ message: Data) -> Data {
      let sequences: [[UInt8]] = [
        [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80],
      ]
      var message = message
      message.insert(contentsOf: choice(sequences), at: 1 + number(message.count - 1))
      return message
    }

    /// Returns a message with a member that is missing, added or has another type.
    private mutating func withOtherMember(_ message: Data) -> Data {
      guard case .object(var members)? = try? JSONReader.read(message) else { return message }
      let values: [JSONValue?] = [
        nil, .null, .bool(true), .integer(-1), .integer(1 << 53), .real(0.5), .string(""),
        .string("\u{0}"), .string(String(repeating: "x", count: 2_000)), .array([]),
        .array([.null]), .object([:]), .object(["scope": .string("library")]),
      ]
      members[choice(members.keys.sorted() + ["unknown"])] = choice(values)
      return JSONWriter.data(.object(members))
    }

    private mutating func nested() -> Data {
      let depth = 33 + number(material.bodyLimit - 100)
      let unit = choice(["[", "{\"a\":", "[0,"])
      return Data(String(repeating: unit, count: depth / unit.utf8.count + 33).utf8)
        .prefix(material.bodyLimit)
    }

    private static let documents = [
      "", " ", "null", "true", "0", "\"\"", "[]", "{}", "{\"a\":1,\"a\":2}", "nul", "{'a':1}",
      "{}{}", "{\"scope\":\"\\ud800\"}", "{\"scope\":\"\\x\"}", "{\"scope\":\"\n\"}", "\u{0}",
      "\u{feff}{}", "{\"scope\":1e999}",
      "{\"scope\":" + String(repeating: "9", count: 50_000) + "}",
      "{\"protocol\":99}", "{\"protocol\":\"1\"}", "{\"protocol\":-1}", "{,}", "[1,]", "{\"a\"}",
      "/* */{}", "<xml/>", "protocol=1&scope=library",
    ]

    private static let waits = [
      "", "{}", "[]", #"{"protocol":1}"#, #"{"protocol":2,"scopes":{"a":0},"milliseconds":1}"#,
      #"{"protocol":1,"scopes":{},"milliseconds":1}"#,
      #"{"protocol":1,"scopes":{"a":"x"},"milliseconds":1}"#,
      #"{"protocol":1,"scopes":{"a":0},"milliseconds":-1}"#,
      #"{"protocol":1,"scopes":{"other":0},"milliseconds":1}"#,
      #"{"protocol":1,"scopes":{"\u0000":0},"milliseconds":1}"#,
      #"{"protocol":1,"scopes":{"":0},"milliseconds":1}"#,
    ]

    // MARK: Fields

    private static let paths = [
      "/", "/sync", "/sync/v1", "/sync/v1/", "/sync/v2/push", "/sync/v1/Push", "/sync/v1/push/",
      "/sync/v1/blobs/1", "/sync/v1/%70ush", "/sync/v1/../v1/push", "/sync/v1/push%00",
      "/favicon.ico", "/sync/v1/push;a", "/" + String(repeating: "a/", count: 2_000),
    ]

    private static let mediaTypes: [String?] = [
      nil, "", "application/json", "text/plain", "application/vnd.undercroft.sync.v2+json",
      "multipart/form-data; boundary=x", "application/vnd.undercroft.sync.v1+json+x", "/", ";",
    ]

    private static let credentials: [String?] = [
      nil, "", "Bearer", "Bearer ", "Bearer    ", "Basic YW5uOmFubg==", "Token ucs_x", "ucs_x",
      "Bearer ucs_x", "Bearer ..", "Bearer \u{e9}",
    ]

    private static let queries = [
      "", "?", "?scope", "?scope=", "?scope=%", "?scope=%00", "?scope=%ff%fe", "?scope=other",
      "?scop=other", "?scope=a&scope=b", "?scope=" + String(repeating: "x", count: 2_000),
      "?" + String(repeating: "scope=a&", count: 1_500),
    ]
  }
#endif
