#if SyncPostgres
  import Testing
  import UndercroftSync
  import UndercroftSyncPostgres

  @Suite struct PokePayloadTests {
    private func decode(_ payloads: [String]) -> [SyncPoke]? {
      let decoded = payloads.compactMap { PokePayload($0)?.pokes }
      return decoded.count == payloads.count ? decoded.flatMap(\.self) : nil
    }

    @Test func `pokes are decoded as they were encoded`() {
      let names = ["user:7", "a b", "\\", "\\n", "line\nbreak", "\r\n", "é", "e\u{301}", " ", "*"]
      let pokes = names.enumerated().map { index, name in
        SyncPoke(scope: ScopeIdentifier(name), head: Int64(index) << 50)
      }

      let payloads = PokePayload.payloads(from: "sender", pokes)

      #expect(payloads.count == 1)
      #expect(decode(payloads) == pokes)
      #expect(PokePayload(payloads[0])?.sender == "sender")
    }

    @Test func `every payload has fewer than 8000 bytes`() {
      let pokes = (0..<60).map { number in
        SyncPoke(
          scope: ScopeIdentifier(String(repeating: "\n", count: 1000) + "\(number)"), head: .max)
      }

      let payloads = PokePayload.payloads(from: "sender", pokes)

      #expect(payloads.allSatisfy { $0.utf8.count < 8000 })
      #expect(payloads.count > 1)
      #expect(decode(payloads) == pokes)
    }

    @Test func `too many pokes become one payload for all scopes`() {
      let pokes = (0..<500).map { number in
        SyncPoke(scope: ScopeIdentifier(String(repeating: "x", count: 1000) + "\(number)"), head: 1)
      }

      let payloads = PokePayload.payloads(from: "sender", pokes)

      #expect(payloads.count == 1)
      #expect(PokePayload(payloads[0])?.sender == "sender")
      #expect(PokePayload(payloads[0])?.pokes == nil)
    }

    @Test(arguments: ["x", "\n"])
    func `a scope whose name fits into no payload becomes a payload for all scopes`(
      character: String
    ) {
      let names = ["user:7", String(repeating: character, count: 8000)]
      let pokes = names.map { SyncPoke(scope: ScopeIdentifier($0), head: 1) }

      let payloads = PokePayload.payloads(from: "sender", pokes)

      #expect(payloads == PokePayload.payloads(from: "sender", nil))
    }

    @Test(arguments: ["", "sender", "sender\n", "sender\nuser:7", "sender\nx user:7", "s\n1"])
    func `text in another form is not decoded`(text: String) {
      #expect(PokePayload(text) == nil)
    }
  }
#endif
