#if SyncServer
  import Foundation
  import NetworkTestSupport
  import Synchronization
  import TestSupport

  /// A client that sends generated requests over several connections at a time.
  struct RequestSender: Sendable {
    /// The result of a request.
    struct Result: Sendable, CustomStringConvertible {
      let number: Int
      let kind: GeneratedRequest.Kind
      let name: String
      var statuses: [Int] = []
      /// The violated expectation, or `nil`.
      var problem: String?

      var description: String {
        "request \(number), \(kind), \(name): \(problem ?? "as expected"), answers \(statuses)"
      }
    }

    let port: Int
    let seed: UInt64
    let material: RequestMaterial

    /// The numbers of the requests that no thread has begun.
    private final class Queue: Sendable {
      private let rest: Mutex<ArraySlice<Int>>

      init(_ numbers: [Int]) { rest = Mutex(numbers[...]) }

      func next() -> Int? { rest.withLock { $0.popFirst() } }
    }

    /// Sends the requests with the numbers from 0, and returns their results.
    func send(_ count: Int) async -> [Result] {
      let slow = (0..<count).filter { RequestGenerator.kind(of: $0) == .slow }
      let other = (0..<count).filter { RequestGenerator.kind(of: $0) != .slow }
      return await withTaskGroup(of: [Result].self) { group in
        // The slow requests wait most of the time, so they have more threads.
        for (numbers, threads) in [(slow, 40), (other, 8)] {
          let queue = Queue(numbers)
          for _ in 0..<threads { group.addTask { await onNewThread { send(queue) } } }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
    }

    private func send(_ numbers: Queue) -> [Result] {
      var connection: RawConnection?
      var results: [Result] = []
      while let number = numbers.next() {
        var generator = RequestGenerator(material, seed: seed, number: number)
        let request = generator.next()
        var result = Result(number: number, kind: request.kind, name: request.name)
        // On a busy computer, the server can close a connection between two requests, and even a
        // complete request can exceed its time.
        for _ in 0..<3 {
          result.problem = nil
          send(request, on: &connection, &result)
          guard case .answers = request.ending, result.problem != nil,
            result.statuses.isEmpty || result.statuses == [408]
          else { break }
        }
        results.append(result)
      }
      return results
    }

    /// Sends a request.
    ///
    /// - Parameter last: the connection of the last request, if it can be used again.
    private func send(
      _ request: GeneratedRequest, on last: inout RawConnection?, _ result: inout Result
    ) {
      let reused = last.take()
      result.statuses = []
      do {
        guard case .answers(let count) = request.ending else {
          result.statuses = try statuses(request)
          return check(request, &result)
        }
        let connection = try reused ?? connect()
        try transmit(request, on: connection)
        var answer: HTTPAnswer?
        for _ in 0..<count {
          answer = try connection.readAnswer()
          result.statuses += answer.map { [$0.status] } ?? []
        }
        if answer?.fields["connection"]?.lowercased() != "close" { last = connection }
        check(request, &result)
      } catch { result.problem = "failed with \(error)" }
    }

    private func check(_ request: GeneratedRequest, _ result: inout Result) {
      guard !request.statuses.isSuperset(of: result.statuses) else { return }
      result.problem = "expected \(request.statuses.sorted().prefix(5))"
    }

    /// Sends a request over a connection of its own, and returns the status of the answer, or no
    /// status if the server or the client has closed the connection.
    private func statuses(_ request: GeneratedRequest) throws -> [Int] {
      let connection = try connect()
      // The server may refuse a request before it has received everything.
      do { try transmit(request, on: connection) } catch is RawConnection.Closed {}
      if case .close(let pause) = request.ending {
        Thread.sleep(forTimeInterval: pause / .seconds(1))
        return []
      }
      if request.ending == .endOfRequest { connection.endSending() }
      do {
        while true {
          let status = try connection.readAnswer(hasBody: false).status
          // The permission to send the body precedes the answer.
          if status != 100 { return [status] }
        }
      } catch is RawConnection.Closed { return [] }
    }

    private func transmit(_ request: GeneratedRequest, on connection: RawConnection) throws {
      for part in request.parts {
        try connection.send(part)
        if request.pause > .zero {
          Thread.sleep(forTimeInterval: request.pause / .seconds(1))
        }
      }
    }

    private func connect() throws -> RawConnection {
      do { return try RawConnection(port: port, limit: .seconds(60)) } catch {
        throw ConnectionRefused()
      }
    }

    /// The error for a server that accepts no connection.
    private struct ConnectionRefused: Error {}
  }
#endif
