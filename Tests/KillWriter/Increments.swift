import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftTesting

/// A command that starts several processes that increment one stored value, and checks that no
/// increment is lost.
struct Increments: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let processes increment one value by edits, and compare it with the count.")

  @Option(
    parsing: .upToNextOption,
    help: "The stores; by default: \(KillStore.sharedNames.joined(separator: ", ")).")
  var store: [String] = []
  @Option(help: "How many processes.") var processes = 2
  @Option(help: "How many increments by each process.") var count = 10_000

  func run() throws {
    var isWhole = true
    for name in store.isEmpty ? KillStore.sharedNames : store {
      isWhole = try run(KillStore.named(name)) && isWhole
    }
    if !isWhole { throw ExitCode.failure }
  }

  private func run(_ store: KillStore) throws -> Bool {
    let place = URL.temporaryDirectory.appending(path: "undercroft-increments-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let start = ContinuousClock.now
    let children = try (0..<processes).map { _ in try IncrementChild(store.name, count, place) }
    // Every process opens the store before the first process begins to increment.
    for child in children { try child.waitUntilReady() }
    for child in children { try child.begin() }
    var failures = 0
    for child in children where child.hasFailed() { failures += 1 }
    let value = try store.open(place).read("visitors").map { String(decoding: $0, as: UTF8.self) }
    let duration = (ContinuousClock.now - start).formatted(.units(allowed: [.milliseconds]))
    print(
      "\(store.name): \(processes) processes, \(value ?? "0") of \(processes * count) increments, "
        + "\(failures) processes failed, \(duration)")
    return failures == 0 && value == "\(processes * count)"
  }
}

/// The parent's handle of a child process of ``Increments``.
private struct IncrementChild {
  private let store: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ store: String, _ count: Int, _ place: URL) throws {
    self.store = store
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [
      "increment", "--store", store, "--directory", place.path(), "--count", "\(count)",
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func waitUntilReady() throws {
    guard try output.fileHandleForReading.read(upToCount: 1) != nil else {
      throw ValidationError(
        """
        cannot increment the store \(quoted(store)): a child process ended before the first \
        increment; read the error of the process above
        """)
    }
  }

  func begin() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    try input.fileHandleForWriting.close()
  }

  func hasFailed() -> Bool {
    process.waitUntilExit()
    return process.terminationStatus != 0
  }
}

/// The command of one process, which waits for a line of input and then increments the value.
struct Increment: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Increment one value of a store, each time in an edit.")

  @Option var store: String
  @Option var directory: String
  @Option var count: Int

  func run() throws {
    let backend = try KillStore.named(store).open(URL(filePath: directory))
    print("ready", terminator: "")
    fflush(nil)
    _ = readLine()
    for _ in 0..<count { try BackendConformance.increment("visitors", in: backend) }
  }
}
