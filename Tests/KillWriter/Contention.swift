import ArgumentParser
import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite

/// A command that starts several processes, each with several threads that write to one database as
/// fast as possible.
struct Contend: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let processes and threads write to one SQLite database, and count the stored rows.")

  @Option(help: "How many processes.") var processes = 2
  @Option(help: "How many threads in each.") var threads = 4
  @Option(help: "For how many seconds.") var seconds = 60

  func run() throws {
    let place = URL.temporaryDirectory.appending(path: "undercroft-contention-\(UUID().uuidString)")
    let file = place.appending(path: "library.sqlite")
    let database = try Database(at: file)
    try database.write { db in
      try db.execute("CREATE TABLE loan(process INTEGER, thread INTEGER, number INTEGER)")
    }
    let children = try (0..<processes).map { number in try start(number, on: file) }
    var acknowledged = 0
    var failures = 0
    var longest = 0
    for (process, output) in children {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      guard process.terminationStatus == 0, figures.count == 3 else {
        print(
          """
          cannot count the writes of a process: the process ended with the status \
          \(process.terminationStatus) and the output "\(text)"; read the errors above
          """)
        throw ExitCode.failure
      }
      acknowledged += figures[0]
      failures += figures[1]
      longest = max(longest, figures[2])
    }
    let kept = try database.read { db in
      try db.fetchOne("SELECT count(*) FROM loan") { row in try row[0] as Int } ?? 0
    }
    try FileManager.default.removeItem(at: place)
    print(
      "\(processes) processes, \(threads) threads each, \(seconds) s: \(acknowledged) acknowledged writes, "
        + "\(acknowledged - kept) lost, \(failures) failed, longest wait \(longest) ms")
    if kept != acknowledged || failures > 0 || longest > 5_000 { throw ExitCode.failure }
  }

  private func start(_ number: Int, on file: URL) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [
      "borrow", "--file", file.path(), "--process", "\(number)", "--threads", "\(threads)",
      "--seconds", "\(seconds)",
    ]
    process.standardOutput = output
    try process.run()
    return (process, output)
  }
}

/// The command of one writing process, which prints the numbers of acknowledged and failed writes,
/// and the duration of the longest write in milliseconds.
struct Borrow: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write to a SQLite database for a while.")

  @Option var file: String
  @Option var process: Int
  @Option var threads: Int
  @Option var seconds: Int

  func run() throws {
    let database = try Database(at: URL(filePath: file))
    let figures = Mutex((acknowledged: 0, failures: 0, longest: Duration.zero))
    let end = ContinuousClock.now + .seconds(seconds)
    let process = process
    let threads = (0..<threads).map { thread in
      let worker = Worker {
        var number = 0
        while ContinuousClock.now < end {
          let begin = ContinuousClock.now
          let isKept: Bool
          do {
            try database.write { db in
              try db.execute("INSERT INTO loan VALUES (\(process), \(thread), \(number))")
            }
            isKept = true
          } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            isKept = false
          }
          let wait = ContinuousClock.now - begin
          number += 1
          figures.withLock { figures in
            figures.acknowledged += isKept ? 1 : 0
            figures.failures += isKept ? 0 : 1
            figures.longest = max(figures.longest, wait)
          }
        }
      }
      worker.start()
      return worker
    }
    for thread in threads { thread.wait() }
    let (acknowledged, failures, longest) = figures.withLock { $0 }
    let milliseconds = Int(longest / .milliseconds(1))
    print("\(acknowledged) \(failures) \(milliseconds)")
  }
}
