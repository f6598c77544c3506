import UndercroftCore
import UndercroftFileSystem
public import UndercroftSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Migrator {
  /// The files whose steps are under way here, so that a step does not wait for itself.
  @TaskLocal private static var underway: Set<ExactString> = []

  /// Brings an open database to a version, the newest for `nil`.
  ///
  /// As a rule the opening does it: ``UndercroftSQLite/DatabaseOptions/migrated(by:)``. An older version than the newest is made in memory as well, by
  /// the steps up to it, to see that the schema is the same.
  ///
  /// - Returns: what became of it, an outcome of ``fallback`` included.
  /// - Throws: ``StorageError/Code/unknownVersion`` and ``StorageError/Code/misuse`` before anything is changed; of the code
  ///   ``StorageError/Code/migrationFailed`` when a step failed, with a ``MigrationFailure`` behind it; what ``onEvent`` throws, unchanged.
  @discardableResult
  public func migrate(
    _ database: Database, to version: String? = nil
  ) throws -> MigrationOutcome {
    try requireSense()
    let name = ExactString(database.files?.location.path ?? "\(ObjectIdentifier(database))")
    guard !Self.underway.contains(name) else {
      throw StorageError.migration(
        "a step of this very migration asks for it",
        cure: "use the connection that the step is given")
    }
    return try Self.$underway.withValue(Self.underway.union([name])) {
      try begin(database, to: version)
    }
  }

  private func begin(_ database: Database, to version: String?) throws -> MigrationOutcome {
    for _ in 0..<20 {
      // Nothing comes of it when others have made something else of a file at which a step had failed: then it is to be looked at anew.
      if let outcome = try attempt(database, to: version) { return outcome }
    }
    // An adoption that answers otherwise each time would go on for ever.
    throw StorageError.migration(
      "a step fails again and again, and the file seems to be another one each time",
      cure: "see that each adoption goes by the file alone, and open it again", as: .migrationFailed
    )
  }

  private func attempt(_ database: Database, to version: String?) throws -> MigrationOutcome? {
    let plan = try plan(for: database, to: version)
    if plan.isEmpty { return .current(version: plan.to) }
    guard !database.isReadOnly else {
      throw StorageError.migration(
        "the file is opened for reading only, and is \(plan.from.map { "at \(quoted($0))" } ?? "new")",
        cure: "open it for writing once", as: .accessDenied)
    }
    var runner = MigrationRunner(self, database, to: version)
    try runner.tell(.willMigrate(plan))
    sweep(beside: database)
    if plan.snapshot != nil, !plan.isUnfinished {
      // A file whose log is empty is copied in a fraction of the time.
      _ = try? database.checkpoint(.truncate)
    }
    let outcome: MigrationOutcome
    do {
      try runner.run()
      // It may have been removed at the very end, and whoever opens it next would have a new one.
      try database.requirePlace()
      outcome =
        plan.from.map { .migrated(from: $0, to: plan.to, snapshot: runner.snapshot) }
        ?? .created(version: plan.to)
    } catch let failure as MigrationFailure {
      guard let fallen = try fallBack(database, after: failure) else { return nil }
      outcome = fallen
    }
    try onEvent?(.ended(outcome))
    return outcome
  }

  /// Removes what killed processes left of copies, which may be as large as the database; where that cannot be done, it stays.
  private func sweep(beside database: Database) {
    guard let path = database.files?.location.path,
      let folder = try? Folder.open(Folder.parent(of: path))
    else { return }
    try? TemporaryFile.sweep(folder)
  }
}
