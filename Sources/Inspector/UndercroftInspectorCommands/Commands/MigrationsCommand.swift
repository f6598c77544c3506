import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the migrations that were applied to the databases at paths.
struct MigrationsCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrations",
    abstract: "Lists the migrations that were applied to the databases at paths.",
    discussion: """
      The state is "applied", "current" for the version that a database has now, "unfinished" for \
      that version while a migration has begun and not ended, "partial" for a step of which only a \
      part was applied, or "no history". A database without a history can have a version in its \
      header (user_version), from which a migrator can adopt it.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = [
    "position", "version", "appliedAt", "origin", "state", "revertible", "recorder",
    "userVersion",
  ]

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: selectedKinds).filter { $0.migrations != nil }
      let kinds = KindColumn(of: found.stores)
      let (rows, problems) = try found.gather { target in
        guard !target.stores.isEmpty else { throw noDatabase(at: target.path) }
        return try Problem.gather(from: target.stores) { store -> [[ResultValue]] in
          guard let history = try store.migrations?.history(try store.contentURL()) else {
            return []
          }
          return Self.rows(history).map { kinds.row(store, $0) }
        }
      }
      try Output.rows(kinds.columns(Self.columns), rows.flatMap(\.self), output)
      return problems
    }
  }

  private static func rows(_ history: InspectedMigrations) -> [[ResultValue]] {
    let common = [ResultValue(history.recorder), .integer(history.userVersion)]
    guard !history.versions.isEmpty else {
      return [Array(repeating: .absent, count: 4) + [.text("no history"), .absent] + common]
    }
    let last = history.versions.count - 1
    let rows = history.versions.enumerated().map { index, version -> [ResultValue] in
      [
        version.position.map { .integer($0) } ?? .absent, .text(version.name),
        ResultValue(version.appliedAt), ResultValue(version.origin),
        .text(index < last ? "applied" : history.unfinished == nil ? "current" : "unfinished"),
        version.isRevertible.map { .boolean($0) } ?? .absent,
      ] + common
    }
    guard let partial = history.unfinished?.partialVersion else { return rows }
    return rows + [
      [.absent, .text(partial), .absent, .absent, .text("partial"), .absent] + common
    ]
  }

  private func noDatabase(at path: String) -> StorageError {
    let selected = KindPhrase.of(selectedKinds)
    return StorageError(
      .unavailable,
      """
      cannot list the migrations of \(quoted(path)): no existing store\(selected) at this \
      path is a database with migrations
      """,
      suggestion: "run \"undercroft ls\" with this path to list the stores")
  }
}
