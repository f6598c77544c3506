import ArgumentParser
import Foundation

/// A command that runs random transactions, and compares each with a model and with the rows that a
/// second process reads.
struct Transactions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Run random transactions on a SQLite database, and compare the acknowledged rows with a second process."
  )

  @Option(help: "How many calls.") var steps = 100_000
  @Option(help: "The seed of the calls, except for the moments of interruptions.")
  var seed: UInt64 = .random(in: .min ... .max)

  func run() throws {
    print("\(steps) steps with seed \(seed)")
    let place = URL.temporaryDirectory.appending(
      path: "undercroft-transactions-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let file = place.appending(path: "library.sqlite")
    let walk = try TransactionWalk(on: file, seed: seed)
    let witness = try WitnessProcess(of: file)
    var problem: String?
    var reached = 0
    while reached < steps, problem == nil {
      let step = reached
      reached += 1
      let found = try walk.step() ?? walk.compare(with: witness, at: step)
      problem = found.map { "step \(step): \($0)" }
    }
    if problem == nil { problem = try walk.end(with: witness) }
    try witness.end()
    let counts = walk.counts
    print(
      "\(reached) steps, \(counts.committed) committed, \(counts.failed) rolled back, "
        + "\(counts.interrupted) interrupted, \(problem == nil ? 0 : 1) problems")
    if let problem {
      print("seed \(seed), \(problem)")
      print(walk.history.joined(separator: "\n"))
      throw ExitCode.failure
    }
  }
}
