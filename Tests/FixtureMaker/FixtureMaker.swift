import ArgumentParser
import Foundation
import SystemCallFaults

/// A program that writes a store of every format.
///
/// Tests of later versions open these files.
@main
struct FixtureMaker: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "FixtureMaker",
    abstract: "Writes a new set of fixtures; a set that exists is never changed.",
    subcommands: [Make.self, Die.self], defaultSubcommand: Make.self)
}

extension FixtureMaker {
  struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write a set.")

    @Argument(help: "The folder of the set, which must not exist.") var folder: String
    @Option(help: "Only the fixture with this name.") var only: String?

    func run() async throws {
      let folder = URL(filePath: folder, directoryHint: .isDirectory)
      guard !FileManager.default.fileExists(atPath: folder.path) else {
        throw ValidationError(
          "cannot write \"\(folder.path)\": the folder exists already; choose another VERSION")
      }
      guard faults_are_available() != 0 else {
        throw ValidationError(
          """
          cannot write fixtures: faults cannot be injected into system calls; run on Linux \
          without a sanitizer
          """)
      }
      for (name, make) in FixtureStores.all where only == nil || only == name {
        let place = folder.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try await make(place)
        print(name)
      }
    }
  }

  /// The command of a separate process that writes to a store until it is killed.
  struct Die: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write to a store until killed.")

    @Argument var work: KilledWork
    @Argument var folder: String

    func run() throws {
      try work.run(in: URL(filePath: folder, directoryHint: .isDirectory))
      throw ValidationError("cannot make the fixture: the writer ended before it was killed")
    }
  }
}
