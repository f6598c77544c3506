import ArgumentParser
import Foundation
import Undercroft
import UndercroftGDBM
import UndercroftSQLite

/// A program that measures every backend, the raw C libraries and Foundation, and prints the
/// ratios.
@main struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures every backend beside the raw C library and a peer.",
    subcommands: [Measure.self, Commits.self, Stream.self, Pull.self] + networkCommands,
    defaultSubcommand: Measure.self)

  private static var networkCommands: [any ParsableCommand.Type] {
    #if SyncHTTP
      [PullOverHTTP.self]
    #else
      []
    #endif
  }
}

/// The command that ``ObservationContest`` starts as a second process.
struct Commits: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Commit to a database that another process observes.", shouldDisplay: false)

  @Argument var file: String

  func run() throws { try ObservationContest.commit(to: Database(at: URL(filePath: file))) }
}

/// The command that ``ScaleContest`` starts as a second process.
struct Stream: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look at every row, and print by how many bytes the process grew.",
    shouldDisplay: false)

  @Argument var file: String
  @Argument var rowCount: Int

  func run() throws {
    print(try ScaleContest.stream(URL(filePath: file), rowCount: rowCount))
  }
}

/// The command that ``FirstPullContest`` starts as a second process.
struct Pull: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pull all rows of a store, and print the seconds and the growth in bytes.",
    shouldDisplay: false)

  @Argument var store: String
  @Argument var file: String
  @Argument var rowCount: Int

  func run() throws {
    let pull = try FirstPullContest.pull(
      from: URL(filePath: store), to: URL(filePath: file), rowCount: rowCount)
    print(pull.seconds, pull.bytes)
  }
}

struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measure, and print the ratios.")

  @Flag(help: "Few short runs: whether it works, not how fast it is.")
  var smoke = false

  @Option(help: "Only benchmarks whose name contains this text, such as \"gdbm\" or \"sync\".")
  var only: String?

  @Option(help: "Not the benchmarks whose name contains this text, such as \"sync-http\".")
  var skip: String?

  @Option(help: "The file that the figures are written to, as JSON.")
  var json: String?

  @Option(help: "The release build of the program undercroft, for the benchmark \"inspector\".")
  var inspector: String?

  @Option(
    help:
      "The release build of the program undercroft-sync-server, for the benchmarks \"sync-http\".")
  var syncServer: String?

  private var contests: [any Contestant] {
    let programs = inspector.map { [InspectorContest(program: MeasuredProgram(path: $0))] } ?? []
    return Self.libraryContests + programs + networkContests
  }

  private var networkContests: [any Contestant] {
    #if SyncHTTP
      guard let program = syncServer.map(SyncServerProgram.init(path:)) else { return [] }
      return [
        HTTPPushContest(program: program), HTTPFirstPullContest(program: program),
        HTTPSingleContest(program: program), HTTPScaleOutContest(program: program),
        HTTPPokeContest(program: program),
      ]
    #else
      return []
    #endif
  }

  private static let libraryContests: [any Contestant] = [
    Contest("memory", peer: UserDefaultsStore.self, peerName: "UserDefaults") { _ in .memory },
    Contest(
      "settings", raw: RawGDBMStore.self, peer: UserDefaultsStore.self, peerName: "UserDefaults"
    ) { .settings(at: $0) },
    Contest(
      "gdbm", raw: RawGDBMStore.self, peer: UserDefaultsStore.self, peerName: "UserDefaults"
    ) { .gdbm(at: $0) },
    Contest("files", peer: UserDefaultsStore.self, peerName: "UserDefaults") { .files(in: $0) },
    Contest("property-lists", peer: UserDefaultsStore.self, peerName: "UserDefaults") {
      .propertyLists(in: $0)
    },
    Contest("single-file", peer: UserDefaultsStore.self, peerName: "UserDefaults") {
      .singleFile(at: $0)
    },
    Contest("vault", peer: UserDefaultsStore.self, peerName: "UserDefaults") { url in
      .vault(at: url, unlockedBy: .keyFile(url.appendingPathExtension("key")))
    },
    Contest(
      "sqlite", raw: RawSQLiteStore.self, peer: UserDefaultsStore.self, peerName: "UserDefaults"
    ) { .sqlite(at: $0) },
    RowContest(), ConcurrentReadContest(), ObservationContest(), ScaleContest(),
    PropertyListContest(), RecordContest(), SearchContest(), MigrationContest(),
    CaptureContest(), PushContest(), ExecuteContest(), EnableContest(), FirstPullContest(),
  ]

  func run() throws {
    let clock =
      smoke
      ? Stopwatch(runs: 3, span: .milliseconds(10), isShort: true)
      : Stopwatch(runs: 9, span: .milliseconds(100))
    let contests = self.contests.filter { contest in
      (only.map(contest.name.contains) ?? true) && !(skip.map(contest.name.contains) ?? false)
    }
    guard !contests.isEmpty else {
      throw ValidationError(
        """
        cannot run a benchmark: --only and --skip select none of \
        \(self.contests.map(\.name).joined(separator: ", "))
        """)
    }
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-benchmark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    var measurements: [Measurement] = []
    print(Report.heading)
    for contest in contests {
      let place = directory.appending(path: contest.name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for measurement in try contest.measure(clock, in: place) {
        print(Report.line(measurement))
        measurements.append(measurement)
      }
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(measurements).write(to: URL(filePath: json))
      print("\(measurements.count) figures in \(json)")
    }
  }
}
