import UndercroftCore
public import UndercroftMigration
public import UndercroftSQLite

/// What became of the file of a version.
public struct ExportedSchema: Sendable, Hashable {
  /// What was done.
  public enum Result: String, Sendable {
    case written, overwritten, unchanged
  }

  /// The version.
  public let version: String
  /// What was done.
  public let result: Result
}

extension GoldenSchemas {
  /// Writes the schema of every version that the steps make, each in a database of its own in memory, and says what was done.
  ///
  /// Where the first version is a ``UndercroftMigration/MigrationStep/base(_:)`` its file must be there: the others begin with it.
  ///
  /// - Parameters:
  ///   - overwriting: whether a file that says something else is written anew. A released version has been made by what its file says, so
  ///     its step must not change: without this it is an error, and no file is changed.
  ///   - options: its ``UndercroftSQLite/DatabaseOptions/setUp`` adds the functions, collations and tokenizers that the schemas need.
  @discardableResult
  public func export(
    _ migrator: Migrator, overwriting: Bool = false, _ options: DatabaseOptions = .init()
  ) throws -> [ExportedSchema] {
    let made = try BuiltSchemas(migrator, self, options)
    var results: [ExportedSchema] = []
    var refused: [String] = []
    for version in migrator.versions {
      guard let built = made.goldens[version] else { continue }
      guard let old = try schema(of: version) else {
        results.append(ExportedSchema(version: version, result: .written))
        continue
      }
      let lines = try made.differences(built, from: old)
      results.append(
        ExportedSchema(version: version, result: lines.isEmpty ? .unchanged : .overwritten))
      refused += lines.map { "version \(quoted(version)): \($0)" }
    }
    guard overwriting || refused.isEmpty else {
      throw StorageError(
        .misuse,
        "cannot export the schemas: the steps make something else than is frozen:\n"
          + refused.joined(separator: "\n") + "\n",
        cure: """
          leave released steps as they were and add a new one; only of a version that nobody has used yet \
          the file may be overwritten
          """, backend: "sqlite")
    }
    for exported in results where exported.result != .unchanged {
      guard let built = made.goldens[exported.version] else { continue }
      try write(built, of: exported.version)
    }
    return results
  }

  /// Writes the schemas of the versions that have no file yet.
  func exportMissing(_ made: BuiltSchemas) throws {
    for (version, golden) in made.goldens where try schema(of: version) == nil {
      try write(golden, of: version)
    }
  }
}
