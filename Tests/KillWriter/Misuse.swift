import ArgumentParser
import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite
import UndercroftTesting

/// A command that makes random invalid calls of the SQLite engine.
///
/// No call is allowed to trap, to hang, or to damage the database.
struct Misuse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Misuse a SQLite database at random, from several threads, and check its integrity.")

  @Option(help: "How many calls.") var count = 1_000_000
  @Option(help: "From how many threads.") var threads = 4
  @Option(help: "The seed of the calls of one thread.") var seed: UInt64 = .random(
    in: .min ... .max)

  func run() throws {
    print("\(count) calls with seed \(seed)")
    let place = URL.temporaryDirectory.appending(path: "undercroft-misuse-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let made = Atomic<Int>(0)
    let problems = Mutex<[String]>([])
    let isOver = Atomic<Bool>(false)
    // Alternate between an in-memory database and a file, 20,000 calls each.
    var round = 0
    while made.load(ordering: .relaxed) < count, problems.withLock({ $0.isEmpty }) {
      let end = min(count, made.load(ordering: .relaxed) + 20_000)
      let subject = try MisusedDatabase(
        round.isMultiple(of: 2) ? place.appending(path: "\(round).sqlite") : nil)
      let workers = (0..<threads).map { thread in
        let seed = seed &+ UInt64(round * threads + thread)
        return Worker {
          var misuser = Misuser(subject, seed: seed)
          while made.load(ordering: .relaxed) < end {
            made.add(misuser.act(), ordering: .relaxed)
            if let problem = misuser.problem {
              problems.withLock { $0.append("seed \(seed): \(problem)") }
              break
            }
          }
        }
      }
      let watch = Worker {
        var last = -1
        var still = 0
        while !isOver.load(ordering: .relaxed), still < 120 {
          let now = made.load(ordering: .relaxed)
          still = now == last ? still + 1 : 0
          last = now
          usleep(500_000)
        }
        if still >= 120 {
          print(
            """
            cannot continue the misuse: no call has ended for a minute after \(last) calls; run \
            the command again with --seed and the seed that is printed first
            """)
          Foundation.exit(3)
        }
      }
      isOver.store(false, ordering: .relaxed)
      watch.start()
      for worker in workers { worker.start() }
      for worker in workers { worker.wait() }
      isOver.store(true, ordering: .relaxed)
      watch.wait()
      if let problem = subject.damage() { problems.withLock { $0.append(problem) } }
      round += 1
    }
    let all = problems.withLock { $0 }
    for problem in all { print(problem) }
    print("\(made.load(ordering: .relaxed)) misuses, \(all.count) problems")
    if !all.isEmpty { throw ExitCode.failure }
  }
}

/// A database that is misused, in which the number of rows must always equal its counter.
final class MisusedDatabase: Sendable {
  let database: Database

  init(_ url: URL?) throws {
    // The timeout is short, because many calls wait for work of their own thread.
    let options = DatabaseOptions(lockTimeout: .milliseconds(20), readerCount: 2)
    database = try url.map { try Database(at: $0, options) } ?? Database.inMemory(options)
    try database.write { db in
      try db.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT UNIQUE, shelf INTEGER)")
      try db.execute("CREATE TABLE total(books INTEGER NOT NULL)")
      try db.execute("INSERT INTO total VALUES (0)")
    }
  }

  func damage() -> String? {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      do {
        return try look()
      } catch let error as StorageError
        where error.code == .locked && ContinuousClock.now < deadline
      {
        // A cancelled task has not ended yet, so try again.
      } catch {
        return "cannot check the misused database: \(error)"
      }
    }
  }

  private func look() throws -> String? {
    try database.read { db in
      let verdict = try db.fetchOne("PRAGMA integrity_check") { row in try row[0] as String }
      let isRight = try db.fetchOne("SELECT books = (SELECT count(*) FROM book) FROM total") {
        row in
        try row[0] as Bool
      }
      if verdict != "ok" { return "the integrity check found: \(verdict ?? "no result")" }
      return isRight == true ? nil : "only a part of a transaction was committed"
    }
  }
}
