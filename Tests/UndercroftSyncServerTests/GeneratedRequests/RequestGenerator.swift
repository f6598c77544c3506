#if SyncServer
  import Foundation
  import UndercroftTesting

  /// A generator of faulty requests.
  ///
  /// A request depends only on the seed and on its number, so that the requests of several threads
  /// can be repeated.
  struct RequestGenerator {
    let material: RequestMaterial
    private let kind: GeneratedRequest.Kind
    private var random: SeededGenerator

    /// Creates the generator of one request.
    init(_ material: RequestMaterial, seed: UInt64, number: Int) {
      self.material = material
      var seeds = SeededGenerator(seed: seed)
      random = SeededGenerator(seed: seeds.next() ^ UInt64(number))
      kind = Self.kind(of: number)
    }

    /// The kinds of twenty consecutive requests, of which few are slow, because they take seconds.
    private static let kinds: [GeneratedRequest.Kind] =
      [.slow] + Array(repeating: .malformed, count: 5) + Array(repeating: .oversized, count: 3)
      + Array(repeating: .truncated, count: 4) + Array(repeating: .replayed, count: 4)
      + Array(repeating: .compressed, count: 3)

    /// Returns the kind of a request.
    static func kind(of number: Int) -> GeneratedRequest.Kind { kinds[number % kinds.count] }

    mutating func next() -> GeneratedRequest {
      switch kind {
      case .malformed: malformed()
      case .oversized: oversized()
      case .truncated: truncated()
      case .replayed: replayed()
      case .slow: slow()
      case .compressed: compressed()
      }
    }

    // MARK: Choices

    /// Returns a number from 0 to one less than the limit.
    mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &random) }

    mutating func choice<Element>(_ elements: [Element]) -> Element {
      elements[number(elements.count)]
    }

    mutating func bytes(_ count: Int) -> Data {
      Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Returns a copy with one to four changed bytes, at offsets in the range.
    mutating func changed(_ data: Data, in range: Range<Int>? = nil) -> Data {
      var bytes = [UInt8](data)
      let range = range ?? bytes.indices
      for _ in 0...number(4) {
        bytes[range.lowerBound + number(range.count)] ^= UInt8(1 + number(255))
      }
      return Data(bytes)
    }

    /// Returns a beginning that lacks at least one byte.
    mutating func beginning(_ data: Data) -> Data { data.prefix(number(data.count)) }

    // MARK: Requests

    /// Returns a request that the server must answer.
    func complete(
      _ name: String, _ request: HTTPRequestText,
      _ statuses: Set<Int> = GeneratedRequest.regularStatuses
    ) -> GeneratedRequest {
      GeneratedRequest(
        kind: kind, name: name, parts: [request.data], ending: .answers(1), statuses: statuses)
    }

    /// Returns bytes whose end the server may await, so that the client ends its direction.
    func incomplete(
      _ name: String, _ data: Data, _ ending: GeneratedRequest.Ending = .endOfRequest
    ) -> GeneratedRequest {
      GeneratedRequest(
        kind: kind, name: name, parts: [data], ending: ending,
        statuses: GeneratedRequest.regularStatuses)
    }

    /// Returns a request of the account to push a body.
    func push(_ body: Data, _ fields: [(String, String)] = []) -> HTTPRequestText {
      HTTPRequestText("push", material.token, body, fields: fields)
    }

    /// Returns a request to push bytes that have no field with their length.
    func push(_ body: Data, unstatedLength fields: [(String, String)]) -> Data {
      var request = push(body, fields)
      request.body = nil
      return request.head + body
    }
  }
#endif
