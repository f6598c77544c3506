import Foundation
import UndercroftCore

/// A benchmark that decodes property lists in both formats, and compares this with Foundation's
/// decoder.
struct PropertyListContest: Contestant {
  let name = "property-list-decode"

  private struct Book: Codable {
    var title: String
    var author: String
    var pages: Int
    var price: Double
    var lent: Date?
    var tags: [String]
    var cover: Data

    init(_ number: Int) {
      title = "Title of the book \(number)"
      author = "Author \(number % 50)"
      pages = 100 + number
      price = Double(number) * 0.37
      lent = number % 3 == 0 ? Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) : nil
      tags = ["novel", "shelf \(number % 10)"]
      cover = Data(repeating: UInt8(truncatingIfNeeded: number), count: 32)
    }
  }

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let count = clock.isShort ? 20 : 1_000
    let books = (0..<count).map(Book.init)
    let pages = Dictionary(uniqueKeysWithValues: books.map { ($0.title, $0.pages) })
    return try [PropertyListCodec(.binary), PropertyListCodec(.xml)].flatMap { codec in
      try [
        compare("book", books[0], codec, clock) { $0.pages },
        compare("books", books, codec, clock) { $0.count },
        compare("numbers", books.map(\.pages), codec, clock) { $0.count },
        compare("texts", books.map(\.title), codec, clock) { $0.count },
        compare("dictionary", pages, codec, clock) { $0.count },
      ]
    }
  }

  private func compare<Value: Codable>(
    _ what: String, _ value: Value, _ codec: PropertyListCodec, _ clock: Stopwatch,
    _ size: (Value) -> Int
  ) throws -> Measurement {
    let bytes = try codec.encode(value)
    let decoder = PropertyListDecoder()
    guard try size(codec.decode(Value.self, from: bytes)) == size(value) else {
      throw BenchmarkFailure("another value was decoded")
    }
    var (times, peers): ([Double], [Double]) = ([], [])
    for _ in 0..<clock.runs {
      times.append(
        try clock.time { _ in clock.keep(size(try codec.decode(Value.self, from: bytes))) })
      peers.append(
        try clock.time { _ in clock.keep(size(try decoder.decode(Value.self, from: bytes))) })
    }
    return Measurement(
      "core.property-list-decode.\(codec.format.rawValue).\(what)", unit: "us",
      peerName: "PropertyListDecoder", ours: times, raw: nil, peer: peers)
  }
}
