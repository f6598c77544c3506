#if SyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import Synchronization
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  extension PokeReader {
    /// Reads a stream of events until it ends.
    ///
    /// - Returns: whether the network has delivered the stream.
    /// - Throws: ``StreamRefusal`` if the server has refused the stream, and the errors of the
    ///   connection.
    func readStream(
      _ query: String, _ deliver: @escaping @Sendable (SyncPoke) -> Void
    ) async throws -> StreamEnd {
      let hasBegun = Flag()
      let patience = connection.options.streamPatience.milliseconds
      return try await withThrowingTaskGroup(of: StreamEnd?.self) { group in
        group.addTask { try await self.readEvents(query, hasBegun, deliver) }
        group.addTask {
          try await Task.sleep(for: .milliseconds(patience))
          return hasBegun.isSet ? nil : .notDelivered
        }
        defer { group.cancelAll() }
        while let end = try await group.next() {
          if let end { return end }
        }
        return .ended
      }
    }

    private func readEvents(
      _ query: String, _ hasBegun: Flag, _ deliver: @Sendable (SyncPoke) -> Void
    ) async throws -> StreamEnd {
      let (address, clients) = try connection.requireServer()
      let url = "\(address.url(of: "events"))?\(query)"
      do {
        let response = try await open(url, address, clients.streams)
        guard let response else { return .notDelivered }
        var parser = EventStreamParser()
        for try await part in response.body where part.readableBytes > 0 {
          hasBegun.set()
          noteDelivery()
          for event in try parser.parse(part.readableBytesView) {
            if let poke = PokeMessage.poke(event) { deliver(poke) }
          }
        }
        return .ended
      } catch let error as StreamRefusal {
        throw error
      } catch {
        throw connection.failure(error, host: address.host)
      }
    }

    /// Requests a stream, and returns the answer, or `nil` if it is no stream of events.
    private func open(
      _ url: String, _ address: ServerAddress, _ client: HTTPClient
    ) async throws -> HTTPClientResponse? {
      try connection.schedule.requireResumption()
      var token = try await connection.tokens.token()
      var isTokenRenewed = false
      while true {
        let identifier = connection.environment.makeIdentifier()
        var request = connection.request(.GET, url, token: token, identifier: identifier)
        request.headers.add(name: "Accept", value: "text/event-stream")
        request.headers.add(name: "Cache-Control", value: "no-cache")
        let response = try await client.execute(request, deadline: .distantFuture)
        let status = Int(response.status.code)
        if status == 200 {
          let isStream = ServerAnswer.mediaType(of: response.headers) == "text/event-stream"
          return isStream ? response : nil
        }
        let answer = try await connection.read(response)
        let failure = StorageError.answered(
          answer, by: address.host, request: identifier, token: token)
        if status == 401, !isTokenRenewed {
          token = try await connection.tokens.token(replacing: token)
          isTokenRenewed = true
          continue
        }
        if status == 401 { await connection.tokens.refuse(token) }
        guard answer.isTemporary || status == 401 || status == 403 || status >= 500 else {
          return nil
        }
        throw StreamRefusal(
          failure: failure, demandedWait: connection.demandedWait(in: response.headers))
      }
    }
  }

  /// The result of reading a stream of events.
  enum StreamEnd: Sendable {
    /// The stream has ended.
    case ended
    /// The network has delivered no byte in time, or the server has no streams.
    case notDelivered
  }

  /// The error for a stream that the server has refused.
  struct StreamRefusal: Error {
    let failure: StorageError
    /// The milliseconds after which the server permits the next stream, or `nil`.
    let demandedWait: Int64?
  }

  /// The address of a stream of events.
  enum EventStreamRequest {
    /// Returns the query with the names of the scopes.
    static func query(_ scopes: Set<ScopeIdentifier>) -> String {
      scopes.sorted().map { "scope=\(encoded($0.text))" }.joined(separator: "&")
    }

    /// Returns a text in percent-encoding, in which only unreserved characters stand for
    /// themselves. (RFC 3986, section 2.3)
    private static func encoded(_ text: String) -> String {
      var result = ""
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          result.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          result += byte < 16 ? "%0" : "%"
          result += String(byte, radix: 16, uppercase: true)
        }
      }
      return result
    }
  }

  /// A Boolean value that two tasks share.
  private final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }

    func set() { value.withLock { $0 = true } }
  }
#endif
