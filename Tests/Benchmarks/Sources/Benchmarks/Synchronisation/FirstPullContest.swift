import Foundation
import UndercroftSQLite
import UndercroftSync

/// A benchmark of a new device that pulls all rows of a server in the same process, compared with
/// insertions of these rows, and of the memory that the device and the server need.
struct FirstPullContest: Contestant {
  let name = "sync.first-pull"

  /// The number of rows that a page contains by default.
  private static let pageSize = 1_000

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let count = clock.isShort ? 2_000 : 1_000_000
    let sent = clock.isShort ? 500 : 20_000
    let store = directory.appending(path: "server")
    let push = try Self.fill(store, sent: sent, in: directory)
    try Self.multiply(store, from: sent, to: count)
    let books = CopiedBook.numbered(1...count)
    var times: (ours: [Double], raw: [Double]) = ([], [])
    var memory: [Double] = []
    for run in 0..<min(clock.runs, 2) {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      times.raw.append(try Self.insert(books, at: place.appending(path: "plain")))
      // A separate process, so that no earlier work affects the peak size.
      let pull = try PeakMemory.figures(
        printedBy: ["pull", store.path, place.appending(path: "device").path, "\(count)"], count: 2)
      times.ours.append(pull[0])
      memory.append(pull[1] / 1_048_576)
      try FileManager.default.removeItem(at: place)
    }
    return [
      Measurement(
        "sync.first-pull", unit: "s", peerName: nil, ours: times.ours, raw: times.raw, peer: nil,
        goal: 2.5),
      Measurement(
        "sync.first-pull-memory", unit: "MB", peerName: nil, ours: memory, raw: nil, peer: nil),
      Measurement(
        "sync.first-push", unit: "us/row", peerName: nil, ours: [push], raw: nil, peer: nil),
    ]
  }

  /// Fills a store from a device, and returns the microseconds of the device's synchronisation for
  /// each row.
  static func fill(_ folder: URL, sent: Int, in directory: URL) throws -> Double {
    let store = try SQLiteSyncStore(at: folder, durability: .processDeath)
    let database = try CopiedBook.makeDatabase(
      at: directory.appending(path: "source"), CopiedBook.numbered(1...sent))
    let engine = try MeasuredPeer(SyncServer(of: store)).engine(of: database)
    let duration = try ContinuousClock().measure { try engine.syncAndWait() }
    try CopiedBook.require(0, "SELECT count(*) FROM DirtyList", in: database, "unsent changes")
    try database.close()
    try store.close()
    return duration / .microseconds(1) / Double(sent)
  }

  /// Copies the rows of a store under other identifiers and versions, because a device would send a
  /// million rows in minutes.
  static func multiply(_ folder: URL, from sent: Int, to count: Int) throws {
    let database = try Database(at: folder.appending(path: "sync-0.sqlite"))
    try database.write { db in
      for offset in stride(from: sent, to: count, by: sent) {
        try db.execute(
          """
          INSERT INTO sync_record
            SELECT scope_id, table_name,
              substr(identifier, 1, 24) || printf('%012x', version + \(offset)),
              version + \(offset), is_deleted, body
            FROM sync_record WHERE version <= \(sent)
          """)
      }
      try db.execute("UPDATE sync_scope SET head = \(count), live_rows = \(count)")
    }
    try CopiedBook.require(
      count, "SELECT count(*) FROM sync_record", in: database, "rows of the server")
    try database.close()
  }

  /// Pulls all rows of a store into a new database, as ``pull(through:to:rowCount:)`` does.
  static func pull(
    from folder: URL, to url: URL, rowCount: Int
  ) throws -> (seconds: Double, bytes: Int) {
    let store = try SQLiteSyncStore(at: folder, durability: .processDeath)
    let result = try pull(through: MeasuredPeer(SyncServer(of: store)), to: url, rowCount: rowCount)
    try store.close()
    return result
  }

  /// Pulls all rows through a peer into a new database.
  ///
  /// - Returns: the seconds, and the number of bytes by which the peak size of the process has
  ///   grown.
  static func pull(
    through peer: MeasuredPeer, to url: URL, rowCount: Int
  ) throws -> (seconds: Double, bytes: Int) {
    let database = try CopiedBook.makeDatabase(at: url)
    let engine = try peer.engine(of: database)
    let idle = try PeakMemory.bytes()
    let duration = try ContinuousClock().measure { try engine.syncAndWait() }
    let grown = try PeakMemory.bytes() - idle
    try CopiedBook.require(rowCount, "SELECT count(*) FROM book", in: database, "pulled rows")
    try CopiedBook.require(
      0, "SELECT count(*) FROM sync_to_execute", in: database, "rows that were not applied")
    try database.close()
    return (duration / .seconds(1), grown)
  }

  private static func insert(_ books: [CopiedBook], at url: URL) throws -> Double {
    let database = try CopiedBook.makeDatabase(at: url)
    let duration = try ContinuousClock().measure {
      for first in stride(from: 0, to: books.count, by: pageSize) {
        let page = books[first..<min(first + pageSize, books.count)]
        try database.write { db in
          try CopiedBook.run(CopiedBook.insertion, with: page, in: db)
        }
      }
    }
    try CopiedBook.require(books.count, "SELECT count(*) FROM book", in: database, "rows")
    try database.close()
    return duration / .seconds(1)
  }
}
