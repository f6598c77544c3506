import Foundation
import Synchronization
import UndercroftSQLite

/// A benchmark of the delay from a commit to the notification of observers, within a process and
/// from another process, as the 99th percentile in microseconds.
struct ObservationContest: Contestant {
  let name = "sqlite-observe"

  private static let commits = 200

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    var inside: [Double] = []
    var outside: [Double] = []
    var values: [Double] = []
    for run in 0..<clock.runs {
      let place = directory.appending(path: "run-\(run)")
      inside.append(
        try delay(at: place.appending(path: "inside")) { url, database in
          try Self.commit(to: database)
        })
      outside.append(
        try delay(at: place.appending(path: "outside")) { url, _ in try Self.startWriter(on: url) })
      values.append(try valueDelay(at: place.appending(path: "values")))
    }
    return [
      Measurement(
        "sqlite.observe", unit: "us", peerName: nil, ours: inside, raw: nil, peer: nil),
      Measurement(
        "sqlite.observe-values", unit: "us", peerName: nil, ours: values, raw: nil, peer: nil),
      Measurement(
        "sqlite.observe-process", unit: "us", peerName: nil, ours: outside, raw: nil, peer: nil),
    ]
  }

  /// Makes 200 commits, each of which stores its time according to the clock that all processes
  /// share.
  static func commit(to database: Database) throws {
    for _ in 0..<commits {
      try database.write { db in
        let now = Int64(DispatchTime.now().uptimeNanoseconds)
        try db.execute("UPDATE tick SET time = \(now)")
      }
      usleep(2_000)
    }
  }

  private static func startWriter(on url: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["commits", url.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("the writer failed") }
  }

  private func ticking(_ url: URL) throws -> Database {
    let database = try Database(at: url)
    try database.write { db in
      try db.execute("CREATE TABLE tick(time INTEGER)")
      try db.execute("INSERT INTO tick VALUES (0)")
    }
    return database
  }

  private static func time(_ db: Connection) throws -> Int64 {
    try db.fetchOne("SELECT time FROM tick") { row in try row[0] as Int64 } ?? 0
  }

  private func delay(at url: URL, _ write: (URL, Database) throws -> Void) throws -> Double {
    let database = try ticking(url)
    let delays = Mutex<[Int64: Double]>([:])
    let registration = try database.observe(.table("tick")) { _ in
      guard let time = try? database.read(Self.time) else { return }
      let delay = Double(Int64(DispatchTime.now().uptimeNanoseconds) - time) / 1_000
      delays.withLock { if $0[time] == nil { $0[time] = delay } }
    }
    try write(url, database)
    usleep(100_000)
    registration.cancel()
    return try Self.percentile(delays.withLock { Array($0.values) })
  }

  private func valueDelay(at url: URL) throws -> Double {
    let database = try ticking(url)
    let delays = Mutex<[Double]>([])
    let task = Task {
      for try await time in database.values({ db in try Self.time(db) }) where time > 0 {
        let delay = Double(Int64(DispatchTime.now().uptimeNanoseconds) - time) / 1_000
        delays.withLock { $0.append(delay) }
      }
    }
    usleep(50_000)
    try Self.commit(to: database)
    usleep(100_000)
    task.cancel()
    return try Self.percentile(delays.withLock { $0 })
  }

  private static func percentile(_ delays: [Double]) throws -> Double {
    // Commits in quick succession may be notified together.
    guard delays.count > commits / 2 else {
      throw BenchmarkFailure("\(delays.count) of \(commits) commits were delivered")
    }
    return delays.sorted()[delays.count * 99 / 100]
  }
}
