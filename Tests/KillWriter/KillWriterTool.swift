import ArgumentParser
import Foundation
import UndercroftTesting

/// A program that kills writers of every store at random times, and checks what they have stored.
///
/// The same program runs as the parent process, which kills, and as the child processes, which
/// write.
@main
struct KillWriterTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "KillWriter",
    abstract: "Kills a writer at random moments, and checks the contents of the store.",
    subcommands: networkCommands + [
      Loop.self, Write.self, Stores.self, Contend.self, Borrow.self, Misuse.self, Migrate.self,
      Crowd.self, Increments.self, Increment.self, Upgrade.self, MakeOldLibrary.self, Crash.self,
      Transactions.self, Witness.self, SyncKills.self, SyncClient.self, SyncServe.self,
    ])

  /// The commands that need the traits of synchronisation over a network.
  private static var networkCommands: [any ParsableCommand.Type] {
    #if SyncHTTP && SyncServer
      [NetworkKills.self, Soak.self, SoakClient.self]
    #else
      []
    #endif
  }
}

extension KillWriterTool {
  struct Loop: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Start and kill writers.")

    @Option(
      parsing: .upToNextOption,
      help: "The stores; by default all: \(KillStore.names.joined(separator: ", ")).")
    var store: [String] = []
    @Option(help: "How often to kill a writer of each store.")
    var rounds = 20
    @Option(help: "The seed of the batches; by default a random number.")
    var seed: UInt64 = .random(in: .min ... .max)
    @Option(
      help: "Where to store the files; by default a temporary folder, removed after a success.")
    var directory: String?

    func run() throws {
      var reports: [KillTest.Report] = []
      for name in store.isEmpty ? KillStore.names : store { reports.append(try run(name)) }
      for report in reports { print(report) }
      if !reports.allSatisfy(\.isClean) { throw ExitCode.failure }
    }

    private func run(_ name: String) throws -> KillTest.Report {
      let store = try KillStore.named(name)
      let parent = directory.map { URL(filePath: $0) } ?? URL.temporaryDirectory
      let place = parent.appending(path: "undercroft-kills-\(name)-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      print("\(name): \(rounds) rounds with seed \(seed)")
      let report = try KillTest(store: name, rounds: rounds, seed: seed).run(
        in: place,
        writer: { first in
          [
            CommandLine.arguments[0], "write", "--store", name, "--directory", place.path(),
            "--seed", "\(seed)", "--first", "\(first)",
          ]
        }, open: store.open, progress: { print($0) })
      if report.isClean {
        try FileManager.default.removeItem(at: place)
      } else {
        print("the files of the failed run are in \(place.path())")
      }
      return report
    }
  }

  struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write until killed, and print the number of each batch after its commit.")

    @Option var store: String
    @Option var directory: String
    @Option var seed: UInt64
    @Option var first: Int

    func run() throws {
      let opening = try KillStore.named(store)
      let place = URL(filePath: directory)
      let test = KillTest(store: store, rounds: 1, seed: seed)
      try test.write(from: first) { try opening.open(place) }
    }
  }

  struct Stores: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the names of the stores.")

    func run() { for name in KillStore.names { print(name) } }
  }
}
