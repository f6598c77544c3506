import UndercroftCore
import UndercroftSQLite

extension Migrator {
  /// Throws the error that `init` found in the steps or the schema.
  func requireValid() throws(StorageError) {
    if let error = invalidSteps ?? invalidSchema { throw error }
  }

  /// Returns the error for invalid steps, or `nil` if the steps are valid.
  static func error(of steps: [MigrationStep]) -> StorageError? {
    if steps.isEmpty {
      return .migration(
        "the migrator has no step",
        suggestion: "pass at least one MigrationStep to the initialiser of Migrator")
    }
    var versions: Set<String> = []
    for (index, step) in steps.enumerated() {
      let version = step.version
      guard MigrationHistory.isName(version) else {
        return .migration(
          """
          the version \(quoted(version)) is not a valid name: \
          \(MigrationHistory.nameProblem(of: version))
          """,
          suggestion: "name each version with one line of 1 to 60 bytes without NUL characters")
      }
      guard versions.insert(version).inserted else {
        return .migration(
          "the version \(quoted(version)) occurs twice",
          suggestion: "give each step a different version")
      }
      guard step.up != nil || index == 0 else {
        return .migration(
          """
          the step to \(quoted(version)) is MigrationStep.base, but only the first step can be \
          MigrationStep.base
          """,
          suggestion: """
            pass the step that leads from \(quoted(steps[index - 1].version)) to \
            \(quoted(version))
            """)
      }
    }
    return nil
  }

  /// Returns an error if new databases cannot be created, or `nil` if they can be created.
  ///
  /// New databases cannot be created if `schema` is blank, or if `schema` is `nil` and the first
  /// step is a base. If there are no steps, returns `nil` without a check of `schema`.
  ///
  /// - Parameter schema: the newest schema, or `nil` if the steps create new databases.
  static func error(of schema: SQL?, after steps: [MigrationStep]) -> StorageError? {
    guard let newest = steps.last else { return nil }
    guard let schema else {
      if steps.first?.up != nil { return nil }
      return .migration(
        "the first step is MigrationStep.base, so the steps cannot create a new database",
        suggestion: """
          pass the schema of version \(quoted(newest.version)), as GoldenSchemas exports it, to the \
          initialiser of Migrator
          """)
    }
    guard schema.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) else { return nil }
    return .migration(
      "the schema of the newest version, \(quoted(newest.version)), is empty",
      suggestion: """
        pass the statements that GoldenSchemas exports, or omit the argument "schema" of the \
        initialiser of Migrator
        """)
  }

  /// Returns the index of the step that leads to a version, or of the last step for `nil`.
  func index(of version: String?) throws(StorageError) -> Int {
    guard let version else { return steps.count - 1 }
    guard let index = steps.firstIndex(where: { $0.version == version }) else {
      throw .migration(
        "the migrator has no version \(quoted(version))",
        suggestion: "choose one of \(names(versions))")
    }
    return index
  }

  func names(_ versions: [String]) -> String {
    let listed = versions.suffix(12).map { quoted($0) }.joined(separator: ", ")
    return versions.count > 12 ? "…, \(listed)" : listed
  }
}
