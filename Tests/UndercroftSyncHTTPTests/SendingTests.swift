#if SyncHTTP
  import TestSupport
  import Testing
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync
  import UndercroftSyncHTTP

  @Suite(.timeLimit(.hangLimit)) struct SendingTests {
    @Test func `a request states the path, the media type, the token and its identifier`()
      async throws
    {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let test = TestPeer(server.url)
        _ = try await test.peer.send(SyncRequest(.push, body: Data("{\"packet\":1}".utf8)))

        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/sync/v1/push")
        #expect(request.header("Content-Type") == ScriptedReply.messageType)
        #expect(request.header("Authorization") == "Bearer first-token")
        #expect(request.header("Request-Identifier").flatMap { UUID(uuidString: $0) } != nil)
        #expect(request.header("Content-Encoding") == nil)
        #expect(String(decoding: request.body, as: UTF8.self) == "{\"packet\":1}")
      }
    }

    @Test func `the path of the server precedes the path of the endpoint`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let test = TestPeer(server.url.appending(path: "library/"))
        _ = try await test.hello()

        #expect(server.requests.map(\.target) == ["/library/sync/v1/hello"])
      }
    }

    @Test func `two requests use one connection`() async throws {
      try await ScriptedServer.run({ _, _ in .message("{}") }) { server in
        let test = TestPeer(server.url)
        _ = try await test.hello()
        _ = try await test.hello()

        #expect(server.connectionCount == 1)
      }
    }

    @Test(arguments: [200, 202, 409, 426])
    func `a message of the protocol is the answer, also if the status reports a refusal`(
      status: Int
    ) async throws {
      let script: ScriptedServer.Script = { _, _ in .message("{\"loan\":1}", status: status) }
      try await ScriptedServer.run(script) { server in
        let answer = try await TestPeer(server.url).hello()

        #expect(answer == "{\"loan\":1}")
      }
    }

    @Test func `the parameters and the case of the media type are ignored`() async throws {
      let script: ScriptedServer.Script = { _, _ in
        .response(200, "Application/VND.undercroft.sync.v1+JSON ; charset=utf-8", Array("{}".utf8))
      }
      try await ScriptedServer.run(script) { server in
        let answer = try await TestPeer(server.url).hello()

        #expect(answer == "{}")
      }
    }

    @Test(arguments: [
      (400, StorageError.Code.unavailable), (403, .accessDenied), (404, .unavailable),
      (413, .tooLarge), (415, .unavailable), (426, .notSupported), (500, .unavailable),
      (507, .full),
    ])
    func `the error for a status has a code, the server's description and its suggestion`(
      status: Int, code: StorageError.Code
    ) async throws {
      let script: ScriptedServer.Script = { _, _ in
        .problem(status, detail: "the book is lent", suggestion: "wait for the book")
      }
      try await ScriptedServer.run(script) { server in
        let test = TestPeer(server.url)
        let error = try #require(await test.helloError())

        #expect(error.code == code)
        #expect(error.message.contains("the book is lent"))
        #expect(error.message.contains("\(status)"))
        #expect(error.suggestion == "wait for the book")
        #expect(server.requests.count == 1)
        #expect(test.waits == [])
      }
    }

    @Test(arguments: [403, 404, 413, 500, 507])
    func `an error without a description has a suggestion`(status: Int) async throws {
      let script: ScriptedServer.Script = { _, _ in
        .response(status, "text/html", Array("<html>".utf8))
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.suggestion != nil)
      }
    }

    @Test func `an error contains the identifier of the request, by which the log names it`()
      async throws
    {
      try await ScriptedServer.run({ _, _ in .problem(500) }) { server in
        let error = try #require(await TestPeer(server.url).helloError())
        let identifier = try #require(server.requests.first?.header("Request-Identifier"))

        #expect(error.message.contains(identifier))
      }
    }

    @Test func `terminal escape sequences in a description are escaped`() async throws {
      try await ScriptedServer.run({ _, _ in .problem(400, detail: "\\u001b[31mred") }) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.message.contains("\\u{1b}[31mred"))
      }
    }

    @Test func `quotation marks in a description are not escaped`() async throws {
      let detail = #"the scope \"user:7\" is closed"#
      try await ScriptedServer.run({ _, _ in .problem(403, detail: detail) }) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.message.contains(#"the scope "user:7" is closed"#))
      }
    }

    @Test(arguments: ["text/html", nil])
    func `an answer of another type is an error that describes login pages`(type: String?)
      async throws
    {
      let script: ScriptedServer.Script = { _, _ in .response(200, type, Array("<html>".utf8)) }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("the server has sent no message of the protocol"))
        #expect(error.suggestion?.contains("login page") == true)
      }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is not followed, and the error names the address`(status: Int) async throws {
      let script: ScriptedServer.Script = { _, _ in
        .response(status, nil, [], headers: [("Location", "https://other.example.org/sync")])
      }
      try await ScriptedServer.run(script) { server in
        let error = try #require(await TestPeer(server.url).helloError())

        #expect(error.code == .unavailable)
        #expect(error.message.contains("https://other.example.org/sync"))
        #expect(server.requests.count == 1)
      }
    }
  }
#endif
