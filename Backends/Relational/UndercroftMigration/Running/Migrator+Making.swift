import UndercroftCore
package import UndercroftSQLite

extension Migrator {
  /// Creates the schema of a version in an empty database: the newest by its frozen SQL, an older
  /// one by the steps up to it.
  func make(_ place: Int, in db: Connection) throws {
    if place < steps.count - 1 { return try build(place, in: db) }
    do {
      try db.executeScript(schema)
    } catch let error as StorageError {
      throw StorageError.migration(
        "the schema of the newest version is wrong: \(error)",
        suggestion: "export it anew with GoldenSchemas", as: error.code, underlying: error)
    }
    if try db.tableExists(MigrationHistory.table) {
      throw StorageError.migration(
        "the schema of the newest version makes the table \(quoted(MigrationHistory.table)), which is reserved for the migrator",
        suggestion: "take it out, or export the schema anew with GoldenSchemas")
    }
  }

  /// Creates the schema of a version in an empty database by running all steps up to it.
  ///
  /// Writes no record.
  package func build(_ version: String, in db: Connection) throws {
    try validate()
    try build(try place(of: version), in: db)
  }

  /// Whether older versions can be created from nothing.
  package var canBuild: Bool { steps.first?.up != nil }

  private func build(_ place: Int, in db: Connection) throws {
    for step in steps.prefix(place + 1) {
      guard let up = step.up else {
        throw StorageError.migration(
          "the version \(quoted(steps[place].version)) cannot be made from nothing: the first one, \(quoted(step.version)), is a base",
          suggestion: "begin with a file of that version, or give the base a step")
      }
      if let slices = step.slices {
        var cursor: SQLValue?
        while case .next(let next, _) = try slices.run(db, cursor) {
          if isCancelled { throw CancellationError() }
          cursor = next
        }
      }
      try up(db, MigrationProgress { _ in })
    }
  }
}
