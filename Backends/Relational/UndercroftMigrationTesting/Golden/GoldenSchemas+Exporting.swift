import UndercroftCore
public import UndercroftMigration
public import UndercroftSQLite

/// The result of exporting the schema of one version.
public struct ExportedSchema: Sendable, Hashable {
  /// The effect of the export on the golden file of a version.
  public enum Result: String, Sendable {
    case written = "written"
    case overwritten = "overwritten"
    case unchanged = "unchanged"
  }

  /// The version of the schema.
  public let version: String
  /// The effect of the export on the golden file of the version.
  public let result: Result
}

extension GoldenSchemas {
  /// Creates the schema of every version by running the steps, and writes each schema to its golden
  /// file.
  ///
  /// Each schema is created in a separate in-memory database. If the first step is a
  /// ``MigrationStep/base(_:)``, its golden file must exist, because the other versions start from
  /// it.
  ///
  /// - Parameters:
  ///   - migrator: the migrator whose steps create the schemas.
  ///   - overwriting: whether a file with another schema is overwritten. If not, such a file is an
  ///     error, and no file is changed: databases of a released version have the schema of that
  ///     file, so the step of the version must not change.
  ///   - options: the options whose ``DatabaseOptions/setUp`` adds the functions,
  ///     collations and tokenizers that the schemas need.
  /// - Returns: the result for each version, in order.
  /// - Throws: ``StorageError/Code/misuse`` if a file differs and `overwriting` is `false`, or if
  ///   the steps are invalid; ``StorageError/Code/unavailable`` if the file of a base is missing;
  ///   ``StorageError/Code/accessDenied`` and ``StorageError/Code/full`` if a file cannot be
  ///   written; the errors of the steps.
  @discardableResult
  public func export(
    _ migrator: Migrator, overwriting: Bool = false, _ options: DatabaseOptions = .init()
  ) throws -> [ExportedSchema] {
    let builtSchemas = try BuiltSchemas(migrator, self, options)
    var results: [ExportedSchema] = []
    var differences: [String] = []
    for version in migrator.versions {
      guard let built = builtSchemas.goldens[version] else { continue }
      guard let old = try schema(of: version) else {
        results.append(ExportedSchema(version: version, result: .written))
        continue
      }
      let lines = try builtSchemas.differences(built, from: old)
      results.append(
        ExportedSchema(version: version, result: lines.isEmpty ? .unchanged : .overwritten))
      differences += lines.map { "version \(quoted(version)): \($0)" }
    }
    guard overwriting || differences.isEmpty else {
      throw StorageError.schema(
        cannot: "export the schemas to \(quotedPath)",
        "the schemas that the steps create differ from the golden files:\n"
          + differences.joined(separator: "\n"),
        suggestion: """
          if one of these versions is released, restore its released step, and make the change in \
          a new step at the end; if none of them is released, export with overwriting: true
          """)
    }
    for exported in results where exported.result != .unchanged {
      guard let built = builtSchemas.goldens[exported.version] else { continue }
      try write(built, of: exported.version)
    }
    return results
  }

  /// Writes the golden files of the versions that have no golden file yet.
  func exportMissing(_ builtSchemas: BuiltSchemas) throws {
    for (version, golden) in builtSchemas.goldens where try schema(of: version) == nil {
      try write(golden, of: version)
    }
  }
}
