import Foundation
import Synchronization
import UndercroftSQLite
import UndercroftSync

/// A benchmark that applies the rows of a page that a device has stored, compared with upserts of
/// the same rows.
struct ExecuteContest: Contestant {
  let name = "sync.execute"

  /// The number of rows that one transaction of a device applies.
  private static let transactionSize = 500

  private static let upsert: SQL = """
    INSERT INTO book VALUES (?, ?, ?, ?, ?)
      ON CONFLICT(id) DO UPDATE SET title = excluded.title, author = excluded.author,
        pages = excluded.pages, isLent = excluded.isLent
    """

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    // A server ends a page at about 1 MiB of stored rows.
    let count = clock.isShort ? 500 : 3_000
    let books = CopiedBook.numbered(1...count)
    var limits = SyncLimits()
    limits.pageRows = count
    let server = SyncServer(of: InMemorySyncStore(), limits: limits)
    let source = try CopiedBook.makeDatabase(at: directory.appending(path: "source"), books)
    try MeasuredPeer(server).engine(of: source).syncAndWait()
    try source.close()

    var times: (ours: [Double], raw: [Double]) = ([], [])
    var bytes = 0
    for run in 0..<clock.runs {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      // Alternate the order, so that neither is always first.
      for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
        let database = try CopiedBook.makeDatabase(at: place.appending(path: "\(isOurs)"))
        if isOurs {
          bytes = try Self.storePage(of: server, in: database, rowCount: count)
          times.ours.append(try Self.execute(in: database, server, rowCount: count))
        } else {
          times.raw.append(try Self.write(books, to: database))
        }
        try CopiedBook.require(count, "SELECT count(*) FROM book", in: database, "rows")
        try database.close()
      }
      try FileManager.default.removeItem(at: place)
    }
    return [
      Measurement(
        "sync.execute", unit: "us/row", peerName: nil, ours: times.ours, raw: times.raw, peer: nil),
      Measurement(
        "sync.pull-bytes", unit: "B/row", peerName: nil, ours: [Double(bytes) / Double(count)],
        raw: nil, peer: nil),
    ]
  }

  /// Pulls one page that is not applied, and returns the number of its bytes.
  private static func storePage(
    of server: SyncServer, in database: Database, rowCount: Int
  ) throws -> Int {
    let peer = MeasuredPeer(
      server,
      didAnswer: { request in
        // A cancelled engine stores the page that has arrived, and applies none of its rows. The
        // first answer contains the epoch alone.
        guard request.endpoint == .pull else { return }
        withUnsafeCurrentTask { $0?.cancel() }
      })
    let engine = try peer.engine(of: database)
    while engine.currentStatus.staged == 0 {
      do { try engine.syncAndWait() } catch is CancellationError { continue }
      throw BenchmarkFailure("no page was stored")
    }
    try CopiedBook.require(0, "SELECT count(*) FROM book", in: database, "rows before")
    try CopiedBook.require(
      rowCount, "SELECT count(*) FROM sync_to_execute WHERE identifier IS NOT NULL", in: database,
      "stored rows")
    return peer.traffic(of: .pull).answerBytes
  }

  /// Returns the microseconds of each row from the answer to the hello to the next request.
  private static func execute(
    in database: Database, _ server: SyncServer, rowCount: Int
  ) throws -> Double {
    let times = Mutex<(hello: ContinuousClock.Instant?, pull: ContinuousClock.Instant?)>((nil, nil))
    let peer = MeasuredPeer(
      server,
      willSend: { request in
        guard request.endpoint == .pull else { return }
        times.withLock { $0.pull = $0.pull ?? .now }
        try CopiedBook.require(
          rowCount, "SELECT count(*) FROM book", in: database, "rows that were applied")
      },
      didAnswer: { request in
        if request.endpoint == .hello { times.withLock { $0.hello = .now } }
      })
    try peer.engine(of: database).syncAndWait()
    guard case (let start?, let end?) = times.withLock({ $0 }) else {
      throw BenchmarkFailure("nothing was pulled")
    }
    return (end - start) / .microseconds(1) / Double(rowCount)
  }

  private static func write(_ books: [CopiedBook], to database: Database) throws -> Double {
    let duration = try ContinuousClock().measure {
      for first in stride(from: 0, to: books.count, by: transactionSize) {
        let rows = books[first..<min(first + transactionSize, books.count)]
        try database.write { db in try CopiedBook.run(upsert, with: rows, in: db) }
      }
    }
    return duration / .microseconds(1) / Double(books.count)
  }
}
