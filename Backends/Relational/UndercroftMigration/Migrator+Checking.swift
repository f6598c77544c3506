import UndercroftCore
import UndercroftSQLite

extension Migrator {
  /// Throws if the steps or the schema are invalid, so that they could migrate no file.
  func validate() throws(StorageError) {
    guard let newest = steps.last else {
      throw .migration("there is no version", suggestion: "give at least one step")
    }
    var seen: Set<String> = []
    for (place, step) in steps.enumerated() {
      let version = step.version
      guard MigrationHistory.isName(version) else {
        throw .migration(
          "the version \(quoted(version)) is no name",
          suggestion: "give each version a line of 1 to 60 bytes")
      }
      guard seen.insert(version).inserted else {
        throw .migration(
          "the version \(quoted(version)) is there twice",
          suggestion: "give each step a version of its own")
      }
      guard step.up != nil || place == 0 else {
        throw .migration(
          "the step to \(quoted(version)) is missing: only the first version may be a base",
          suggestion: "give the step that leads to it from \(quoted(steps[place - 1].version))")
      }
    }
    guard !schema.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) else {
      throw .migration(
        "the schema of the newest version, \(quoted(newest.version)), is empty",
        suggestion: "give the statements that make it, as GoldenSchemas exports them")
    }
  }

  /// Returns the index of the step that leads to a version, or of the newest version for `nil`.
  func place(of version: String?) throws(StorageError) -> Int {
    guard let version else { return steps.count - 1 }
    guard let place = steps.firstIndex(where: { $0.version == version }) else {
      throw .migration(
        "there is no version \(quoted(version))", suggestion: "choose one of \(names(versions))")
    }
    return place
  }

  func names(_ versions: [String]) -> String {
    let shown = versions.suffix(12).map { quoted($0) }.joined(separator: ", ")
    return versions.count > 12 ? "…, \(shown)" : shown
  }
}
