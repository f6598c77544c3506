import UndercroftCore

/// The migrations that an application registered with GRDB, in order.
struct GRDBHistory {
  private let migrations: [(identifier: String, version: String)]
  private let merged: [String: [String]]
  private let allIdentifiers: Set<String>

  init(_ migrations: [(String, String)], _ merged: [String: [String]]) {
    self.migrations = migrations
    self.merged = merged
    allIdentifiers = Set(migrations.map(\.0)).union(merged.values.joined())
  }

  var identifiers: [String] { migrations.map(\.identifier) }

  func isKnown(_ identifier: String) -> Bool { allIdentifiers.contains(identifier) }

  /// Throws if an identifier occurs twice, if the versions of the migrations are not in the order
  /// of `versions`, or if a migration that merges other migrations has no version.
  ///
  /// - Parameter versions: the versions of the migrator, in order.
  func validate(_ versions: [String]) throws(StorageError) {
    var seen: Set<String> = []
    var last = 0
    var previous = ""
    for (identifier, version) in migrations {
      guard seen.insert(identifier).inserted else {
        throw .migration(
          "the list in .grdb([…]) contains the GRDB migration \(quoted(identifier)) twice",
          suggestion: "list each GRDB migration once")
      }
      // A version that the migrator does not contain may be retired. Such a version is an error
      // only if a file has it.
      guard let index = versions.firstIndex(of: version) else { continue }
      guard index >= last else {
        throw .migration(
          """
          the list in .grdb([…]) assigns the version \(quoted(version)) to the GRDB migration \
          \(quoted(identifier)), and a later version, \(quoted(versions[last])), to the earlier \
          GRDB migration \(quoted(previous))
          """,
          suggestion: """
            list the GRDB migrations in the order in which GRDB's DatabaseMigrator registers them, \
            and their versions in the order of the steps of the Migrator
            """)
      }
      (last, previous) = (index, identifier)
    }
    for identifier in merged.keys.sorted() where !seen.contains(identifier) {
      throw .migration(
        """
        the argument "merging" of .grdb has the key \(quoted(identifier)), but .grdb assigns no \
        version to a GRDB migration of this name
        """,
        suggestion: """
          correct the key, or add \(quoted(identifier)) with a version of the Migrator to the list \
          in .grdb([…])
          """)
    }
  }

  /// Returns the version of a file to which exactly the migrations in `applied` were applied.
  ///
  /// - Parameter record: the table of GRDB, for error messages.
  /// - Throws: ``StorageError/Code/unknownVersion`` if `applied` is empty, or does not consist of
  ///   the first migrations without a gap.
  func version(after applied: Set<String>, _ record: ThirdPartyHistory) throws(StorageError)
    -> String
  {
    let done = withMerged(applied)
    let beginning = migrations.prefix { done.contains($0.identifier) }
    let rest = migrations.dropFirst(beginning.count)
    if let missing = rest.first, let later = rest.last(where: { done.contains($0.identifier) }) {
      throw record.error(
        """
        contains the migration \(quoted(later.identifier)), but not the migration \
        \(quoted(missing.identifier)) that is listed earlier
        """,
        suggestion: """
          list the migrations in the order in which GRDB ran them, or list the migrations that \
          \(quoted(later.identifier)) merged
          """)
    }
    let explained = withMerged(Set(beginning.map(\.identifier)))
    if let part = applied.subtracting(explained).min() {
      throw record.error(
        """
        contains the migration \(quoted(part)), but not the later migration that merged \
        \(quoted(part))
        """,
        suggestion: "add \(quoted(part)) and its version to the list in .grdb([…])")
    }
    guard let last = beginning.last else {
      throw record.error(
        "contains no applied migration",
        suggestion: """
          before .grdb(…), pass a custom adoption that returns the version of files without \
          applied migrations
          """)
    }
    return last.version
  }

  /// Returns `identifiers` together with the identifiers of all migrations that were merged,
  /// directly or indirectly, into the migrations named by `identifiers`.
  private func withMerged(_ identifiers: Set<String>) -> Set<String> {
    var all: Set<String> = []
    var waiting = Array(identifiers)
    while let next = waiting.popLast() {
      if all.insert(next).inserted { waiting += merged[next] ?? [] }
    }
    return all
  }
}
