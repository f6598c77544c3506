import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftMigration
import UndercroftSQLite

/// The command of a worker process, which opens a file with the migrator and can be killed during
/// the migration.
struct Upgrade: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Migrate a file, and print the events until the migration ends.")

  @Option var file: String
  @Option(help: "The moment of the signal, beginning with 1; 0 is the start of the program.")
  var at: Int?
  @Option(help: "How many microseconds after that moment.")
  var after = 0
  @Option(help: "The number of the signal.")
  var signal = SIGKILL
  @Option(help: "The version whose step fails.")
  var failing: String?
  @Option(help: "The fallback after the failed step: \(MigrationFallback.names).")
  var fallback = "fail"
  @Option(help: "How many microseconds to wait before the fallback.")
  var hesitation = 0
  @Option(help: "A deliberate error: \(FlawedMigration.names).")
  var flaw: FlawedMigration?
  @Option(help: "A file to which each run of a step is appended, even if it is rolled back.")
  var log: String?
  @Option(help: "A named pipe: begin after another process opens the pipe for writing.")
  var gate: String?
  @Option(help: "Insert a reader with this name after the file is open.")
  var reader: String?
  @Flag(help: "Create no snapshot.")
  var unsaved = false
  @Flag(help: "Run the large step in one transaction, without slices.")
  var uncut = false
  @Flag(help: "Create a new file by the steps instead of by the newest schema.")
  var withoutSchema = false

  func run() throws {
    let moments = Moments(dyingAt: at, after: after, of: signal)
    let log = log.map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600) }
    if let gate {
      Moments.write("ready\n", to: 1)
      close(open(gate, O_RDONLY))
    }
    let steps = LibrarySteps(
      moment: { moments.tell($0) },
      note: { line in if let log { Moments.write("\(line)\n", to: log) } },
      failing: failing, isUncut: uncut, hasSchema: !withoutSchema)
    let url = URL(filePath: file)
    if let flaw {
      try flaw.migrate(url, moments)
      return Moments.write("end current\n", to: 1)
    }
    var migrator = steps.migrator
    let chosen = MigrationFallback.named(fallback)
    let hesitation = UInt32(clamping: hesitation)
    migrator.fallback = { _ in
      usleep(hesitation)
      return chosen
    }
    migrator.takesSnapshot = !unsaved
    migrator.onEvent = { moments.tell($0) }
    do {
      let database = try Database(at: url, .init(migrator: migrator))
      if let reader, !database.isReadOnly {
        try database.execute("INSERT INTO reader (name) VALUES (\(reader))")
      }
      try database.close()
      Moments.write(database.isReadOnly ? "end readOnly\n" : "end open\n", to: 1)
    } catch let error as StorageError {
      Moments.write("end \(error.code.rawValue): \(error)\n", to: 1)
    }
  }
}

extension MigrationFallback {
  private static let known: [(name: String, fallback: MigrationFallback)] = [
    ("fail", .fail), ("restoreSnapshot", .restoreSnapshot), ("openReadOnly", .openReadOnly),
    ("recreate", .recreate),
  ]

  static var names: String { known.map(\.name).joined(separator: ", ") }

  static func named(_ name: String) -> MigrationFallback {
    known.first { $0.name == name }?.fallback ?? .fail
  }
}
