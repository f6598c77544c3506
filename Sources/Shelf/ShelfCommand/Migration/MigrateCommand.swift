import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrates a catalogue of an earlier version to the current schema.",
    discussion:
      "Every other command does so as well when it opens the catalogue; here it can be seen before."
  )

  enum Mode: EnumerableFlag {
    case plan, dryRun, discardSnapshot

    static func help(for mode: Mode) -> ArgumentHelp? {
      switch mode {
      case .plan: "Show what would be done, and change nothing."
      case .dryRun: "Migrate a copy, report the differences, and delete the copy."
      case .discardSnapshot: "Remove the copies of what the databases were before."
      }
    }
  }

  @OptionGroup var home: ShelfHome
  @Flag(exclusivity: .exclusive) var mode: Mode?

  func run() throws {
    try Outcome.run {
      try home.requireCatalogue()
      switch mode {
      case .plan:
        try ask { name, database, migrator in
          try print(name, PlanText.lines(try migrator.plan(for: database)))
        }
      case .dryRun:
        try ask { name, database, migrator in
          try print(name, DryRunText.lines(try migrator.dryRun(of: database)))
        }
      case .discardSnapshot: try discard()
      case nil: try migrate()
      }
    }
  }

  /// Opens each existing database read-only, and calls
  /// `body` with its name, the database and its migrator.
  ///
  /// For a database that does not exist, prints a line instead.
  private func ask(_ body: (String, Database, Migrator) throws -> Void) throws {
    for shelf in try home.databases() {
      guard FileManager.default.fileExists(atPath: shelf.location.path) else {
        try Outcome.print("\(shelf.name): not there yet")
        continue
      }
      let database = try Database(at: shelf.location, DatabaseOptions(isReadOnly: true))
      try body(shelf.name, database, shelf.migrator)
      try database.close()
    }
  }

  private func print(_ name: String, _ lines: [String]) throws {
    for (index, line) in lines.enumerated() {
      try Outcome.print((index == 0 ? "\(name): \(line)" : "  \(line)").printable)
    }
  }

  private func migrate() throws {
    let storage = try home.storage()
    for shelf in try home.databases() {
      let database = try storage.database(for: shelf.kind)
      let version = try shelf.migrator.version(of: database) ?? "none"
      try Outcome.print("\(shelf.name): at \(version)")
    }
  }

  private func discard() throws {
    for shelf in try home.databases() {
      // A database whose migration is not complete may still need its snapshot.
      guard FileManager.default.fileExists(atPath: shelf.location.path) else { continue }
      let database = try Database(at: shelf.location, DatabaseOptions(isReadOnly: true))
      let plan = try shelf.migrator.plan(for: database)
      try database.close()
      for snapshot in try MigrationSnapshot.all(of: shelf.location) {
        guard plan.transitions.isEmpty else {
          throw NotFound(
            """
            cannot remove the snapshots of \(shelf.name.debugDescription): the database is not yet \
            migrated\(plan.from.map { " from the version \($0)" } ?? "") to the version \
            \(plan.to), and the migration may need the snapshots; run shelf migrate, and repeat \
            shelf migrate --discard-snapshot
            """)
        }
        let size = ByteSize.text(Int64(try snapshot.byteCount()))
        try snapshot.discard()
        try Outcome.print("\(snapshot.location.lastPathComponent): removed, \(size)")
      }
    }
  }
}
