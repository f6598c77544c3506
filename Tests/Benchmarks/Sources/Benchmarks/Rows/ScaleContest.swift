import Foundation
import UndercroftSQLite

/// A benchmark of a read by key in a table of ten million rows, and of the memory that a scan of a
/// million rows needs.
struct ScaleContest: Contestant {
  let name = "sqlite-scale"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let url = directory.appending(path: "books.sqlite")
    let count = clock.isShort ? 200_000 : 10_000_000
    let ours = try OurBooks(at: url)
    for first in stride(from: 0, to: count, by: Book.count) {
      let books = (first..<first + Book.count).map { Book(numbered: $0 + 1) }
      try ours.insert(books)
    }
    let raw = try RawBooks(at: url, makesTable: false)
    var times: (ours: [Double], raw: [Double]) = ([], [])
    for _ in 0..<clock.runs {
      times.ours.append(try Self.time(ours, clock, count))
      times.raw.append(try Self.time(raw, clock, count))
    }
    return [
      Measurement(
        "sqlite.point-read-\(count / 1_000)k", unit: "us", peerName: nil, ours: times.ours,
        raw: times.raw, peer: nil),
      Measurement(
        "sqlite.stream-memory", unit: "MB", peerName: nil,
        ours: [try Self.memory(on: url, rowCount: min(count, 1_000_000))], raw: nil, peer: nil),
    ]
  }

  private static func time(
    _ store: some BookStore, _ clock: Stopwatch, _ count: Int
  ) throws -> Double {
    try clock.time { index in
      let id = Int64((index &* 7_919_777) % count) + 1
      guard let book = try store.find(id), book.id == id else { throw BenchmarkFailure("no book") }
      clock.keep(Int(book.pages))
    }
  }

  /// Returns the memory of the scan in MiB, measured in a separate process, so that no earlier work
  /// affects the peak size.
  private static func memory(on url: URL, rowCount: Int) throws -> Double {
    try PeakMemory.figures(printedBy: ["stream", url.path, "\(rowCount)"])[0] / 1_048_576
  }

  /// Reads every row, and returns the number of bytes by which the peak size of the process has
  /// grown.
  static func stream(_ url: URL, rowCount: Int) throws -> Int {
    let database = try Database(at: url)
    try database.read { _ in }
    let idle = try PeakMemory.bytes()
    var seen = 0
    try database.read { db in
      try db.forEach("SELECT * FROM book LIMIT \(rowCount)") { row in
        guard try (row[1] as String).utf8.count > 0 else { throw BenchmarkFailure("no title") }
        seen += 1
      }
    }
    guard seen == rowCount else { throw BenchmarkFailure("\(seen) rows") }
    return try PeakMemory.bytes() - idle
  }
}
