#if SyncPostgres
  package import UndercroftSync

  /// The payload of a notification: the sender and the pokes, one on each line.
  ///
  /// A payload has fewer than 8,000 bytes, which is the limit of PostgreSQL. `*` instead of the
  /// pokes means that any scope may have changed.
  package struct PokePayload: Sendable, Hashable {
    /// The random name of the sending bus, which ignores its own notifications.
    package var sender: String
    /// The pokes, or `nil` if any scope may have changed.
    package var pokes: [SyncPoke]?

    static let maximumBytes = 7_999
    /// The maximum number of payloads, beyond which one payload says that any scope may have
    /// changed.
    static let maximumCount = 32

    /// Returns the payloads that contain all pokes.
    package static func payloads(from sender: String, _ pokes: [SyncPoke]?) -> [String] {
      guard let pokes else { return [sender + "\n*"] }
      var payloads: [String] = []
      var payload = sender
      for poke in pokes {
        let line = "\n\(poke.head) \(escaped(poke.scope.text))"
        guard sender.utf8.count + line.utf8.count <= maximumBytes else {
          // The name of the scope fits into no payload.
          return self.payloads(from: sender, nil)
        }
        if payload.utf8.count + line.utf8.count > maximumBytes {
          payloads.append(payload)
          payload = sender
        }
        payload += line
      }
      payloads.append(payload)
      return payloads.count > maximumCount ? self.payloads(from: sender, nil) : payloads
    }

    /// Decodes a payload, or returns `nil` if the text has another form.
    package init?(_ text: String) {
      // Characters would join a line feed with a carriage return before it.
      let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard let first = lines.first, lines.count > 1 else { return nil }
      sender = String(decoding: first, as: UTF8.self)
      if lines.count == 2, lines[1].elementsEqual("*".utf8) {
        pokes = nil
        return
      }
      var decoded: [SyncPoke] = []
      for line in lines.dropFirst() {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")),
          let head = Int64(String(decoding: line[..<space], as: UTF8.self))
        else { return nil }
        let scope = Self.unescaped(line[line.index(after: space)...])
        decoded.append(SyncPoke(scope: ScopeIdentifier(scope), head: head))
      }
      pokes = decoded
    }

    private static func escaped(_ scope: String) -> String {
      var bytes: [UInt8] = []
      for byte in scope.utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes += Array("\\\\".utf8)
        case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
        default: bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ line: Substring.UTF8View) -> String {
      var bytes: [UInt8] = []
      var isEscape = false
      for byte in line {
        if isEscape {
          bytes.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
          isEscape = false
        } else if byte == UInt8(ascii: "\\") {
          isEscape = true
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
