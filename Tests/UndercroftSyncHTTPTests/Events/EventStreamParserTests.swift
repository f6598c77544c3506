#if SyncHTTP
  import Testing
  import UndercroftSyncHTTP

  @Suite struct EventStreamParserTests {
    private func events(_ text: String) throws -> [ServerEvent] {
      var parser = EventStreamParser()
      return try parser.parse(text.utf8)
    }

    private func message(_ data: String, type: String = "message", id: String = "") -> ServerEvent {
      ServerEvent(type: type, data: data, lastIdentifier: id)
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `lines end with a line feed, a carriage return or both`(end: String) throws {
      let events = try events("event: poke\(end)data: 1\(end)\(end)data: 2\(end)\(end)")

      #expect(events == [message("1", type: "poke"), message("2")])
    }

    @Test func `the bytes can be divided anywhere`() throws {
      let text = "\u{FEFF}event: poke\r\nid: 7\rdata: été\n\r\ndata: 2\r\r: comment\r\n\n"
      let whole = try events(text)
      let bytes = Array(text.utf8)
      for length in 1...bytes.count {
        var parser = EventStreamParser()
        var found: [ServerEvent] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
          found += try parser.parse(bytes[start..<min(start + length, bytes.count)])
        }
        #expect(found == whole, "\(length)")
      }
      #expect(whole == [message("été", type: "poke", id: "7"), message("2", id: "7")])
    }

    @Test func `several lines of data are joined by line feeds`() throws {
      #expect(try events("data: YHOO\ndata: +2\ndata: 10\n\n") == [message("YHOO\n+2\n10")])
    }

    @Test func `one space after the colon is removed`() throws {
      #expect(
        try events("data:test\n\ndata: test\n\ndata:  test\n\n")
          == [message("test"), message("test"), message(" test")])
    }

    @Test func `a field without a colon has an empty value`() throws {
      #expect(try events("data\n\ndata\ndata\n\ndata:") == [message(""), message("\n")])
    }

    @Test func `comments, the field retry and unknown fields are ignored`() throws {
      let text = ": heartbeat\nretry: 10\nunknown: 1\n data: 1\nDATA: 2\ndata: 3\n\n"

      #expect(try events(text) == [message("3")])
    }

    @Test func `an event without data is discarded, and its type does not remain`() throws {
      #expect(try events("event: poke\n\ndata: 1\n\n") == [message("1")])
    }

    @Test func `the identifier remains until another one, and an empty one removes it`() throws {
      let text = "id: 1\ndata: a\n\ndata: b\n\nid: 2\u{0}\ndata: c\n\nid\ndata: d\n\n"

      #expect(
        try events(text)
          == [message("a", id: "1"), message("b", id: "1"), message("c", id: "1"), message("d")])
    }

    @Test func `the byte order mark is removed only at the beginning`() throws {
      #expect(try events("\u{FEFF}data: 1\n\n\u{FEFF}data: 2\n\n") == [message("1")])
    }

    @Test func `an incomplete event is not returned`() throws {
      #expect(try events("data: 1\n\ndata: 2\n") == [message("1")])
    }

    @Test func `invalid UTF-8 is replaced`() throws {
      var parser = EventStreamParser()
      let found = try parser.parse(Array("data: ".utf8) + [0xff] + Array("\n\n".utf8))

      #expect(found == [message("\u{FFFD}")])
    }

    @Test func `a line without end is an error`() throws {
      var parser = EventStreamParser()
      let part = [UInt8](repeating: 0x3a, count: 1 << 15)
      _ = try parser.parse(part)
      _ = try parser.parse(part)

      #expect(throws: EventStreamParser.LimitExceeded.self) { try parser.parse([0x3a]) }
    }

    @Test func `an event without end is an error`() throws {
      var parser = EventStreamParser()
      let line = Array("data: \(String(repeating: "x", count: 1_000))\n".utf8)
      let result = Result { for _ in 1...100 { _ = try parser.parse(line) } }

      #expect(throws: EventStreamParser.LimitExceeded.self) { try result.get() }
    }
  }
#endif
