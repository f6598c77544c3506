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
    let books = CopiedBook.numbered(1...count)
    let store = directory.appending(path: "server")
    let push = try Self.fill(store, with: books, in: directory)
    var times: (ours: [Double], raw: [Double]) = ([], [])
    for run in 0..<min(clock.runs, 3) {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      // Alternate the order, so that neither is always first.
      for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
        let url = place.appending(path: "\(isOurs)")
        let time =
          try isOurs
          ? Self.pull(from: store, to: url, rowCount: count).seconds
          : Self.insert(books, at: url)
        if isOurs { times.ours.append(time) } else { times.raw.append(time) }
      }
      try FileManager.default.removeItem(at: place)
    }
    return [
      Measurement(
        "sync.first-pull", unit: "s", peerName: nil, ours: times.ours, raw: times.raw, peer: nil,
        goal: 2.5),
      Measurement(
        "sync.first-pull-memory", unit: "MB", peerName: nil,
        ours: [try Self.memory(of: store, directory.appending(path: "memory"), rowCount: count)],
        raw: nil, peer: nil),
      Measurement("sync.first-push", unit: "s", peerName: nil, ours: [push], raw: nil, peer: nil),
    ]
  }

  /// Fills a store from a device, and returns the seconds of the device's synchronisation.
  private static func fill(
    _ folder: URL, with books: [CopiedBook], in directory: URL
  ) throws -> Double {
    let store = try SQLiteSyncStore(at: folder, durability: .processDeath)
    let url = directory.appending(path: "source")
    let database = try CopiedBook.makeDatabase(at: url, books)
    let engine = try MeasuredPeer(SyncServer(of: store)).engine(of: database)
    let duration = try ContinuousClock().measure { try engine.syncAndWait() }
    try CopiedBook.require(0, "SELECT count(*) FROM DirtyList", in: database, "unsent changes")
    try database.close()
    try store.close()
    return duration / .seconds(1)
  }

  /// Pulls all rows into a new database.
  ///
  /// - Returns: the seconds, and the number of bytes by which the peak size of the process has
  ///   grown.
  static func pull(
    from folder: URL, to url: URL, rowCount: Int
  ) throws -> (seconds: Double, bytes: Int) {
    let store = try SQLiteSyncStore(at: folder, durability: .processDeath)
    let database = try CopiedBook.makeDatabase(at: url)
    let engine = try MeasuredPeer(SyncServer(of: store)).engine(of: database)
    let idle = try PeakMemory.bytes()
    let duration = try ContinuousClock().measure { try engine.syncAndWait() }
    let grown = try PeakMemory.bytes() - idle
    try CopiedBook.require(rowCount, "SELECT count(*) FROM book", in: database, "pulled rows")
    try CopiedBook.require(
      0, "SELECT count(*) FROM sync_to_execute", in: database, "rows that were not applied")
    try database.close()
    try store.close()
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

  /// Returns the memory of a pull in MiB, measured in a separate process, so that no earlier work
  /// affects the peak size.
  private static func memory(of store: URL, _ url: URL, rowCount: Int) throws -> Double {
    try PeakMemory.megabytes(printedBy: ["pull", store.path, url.path, "\(rowCount)"])
  }
}
