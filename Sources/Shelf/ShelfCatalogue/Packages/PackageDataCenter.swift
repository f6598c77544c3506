import Undercroft

/// The data center of the packages, their dependencies, and the list of copied changelogs.
struct PackageDataCenter: DataCenter {
  static let tables: Tables = [
    PackageRecord.self, AlternativeRecord.self,
    ChangelogRecord.self, SourceRecord.self,
  ]

  let database: Database

  init(_ storage: Storage) throws { database = try storage.database(for: .record) }

  // MARK: Importing

  /// Updates the rows to match the input, in one transaction.
  ///
  /// Only packages that differ from the input are written.
  func replace(
    by input: consuming ControlReader, _ progress: ImportProgress
  ) throws -> PackageChanges {
    var input = input
    let ahead = try input.fingerprintAhead()
    return try write { db in
      if let ahead, let count = try Self.packages(of: ahead, in: db) {
        return PackageChanges(packages: count)
      }
      var changes = PackageChanges()
      var known: [ExactString: Int64] = [:]
      try PackageRecord.select { ($0.identity, $0.digest) }.forEach(in: db) {
        known[ExactString($0)] = $1
      }
      changes.isFirst = known.isEmpty
      var identities = PackageIdentities()
      while let package = try input.next() {
        try progress.step("packages", changes.packages)
        changes.packages += 1
        let identity = identities.identity(of: package.name, package.architecture)
        switch known.removeValue(forKey: ExactString(identity)) {
        case package.digest: continue
        case nil: changes.add(package)
        default: changes.change(package, from: try Self.delete(identity, in: db))
        }
        try Self.insert(package, identity, in: db)
      }
      // Throw for an empty input instead of deleting all packages.
      guard changes.packages > 0 else { throw input.empty }
      for (done, identity) in known.keys.enumerated() {
        try progress.step("removed packages", done)
        changes.remove(identity.text, try Self.delete(identity.text, in: db))
      }
      let source = SourceRecord(fingerprint: input.fingerprint, packages: changes.packages)
      try source.upsert(in: db)
      return changes
    }
  }

  /// Returns the number of packages, or `nil` if the input with this fingerprint must be imported.
  ///
  /// The input must be imported if the rows come from another input, or if rows are missing.
  private static func packages(of fingerprint: Int64, in db: Connection) throws -> Int? {
    let source = try SourceRecord.where { $0.fingerprint == fingerprint }.fetchOne(in: db)
    guard let source, source.packages == (try PackageRecord.fetchCount(in: db)) else { return nil }
    return source.packages
  }

  private static func insert(
    _ package: Package, _ identity: String, in db: Connection
  ) throws {
    let number = try PackageRecord(package, as: identity).insert(returning: \.number, in: db)
    let alternatives = package.dependencies.enumerated().flatMap { position, dependency in
      dependency.alternatives.enumerated().map { index, alternative in
        AlternativeRecord(
          package: number, position: position, index: index, name: alternative.name,
          requirement: alternative.requirement)
      }
    }
    try AlternativeRecord.insertAll(alternatives, in: db)
  }

  /// Deletes a package and its dependencies, and returns the version of the deleted package.
  private static func delete(_ identity: String, in db: Connection) throws -> String {
    let package = PackageRecord.where { $0.identity == identity }
    let version = try package.select { $0.version }.fetchOne(in: db)
    try package.delete(in: db)
    return version ?? ""
  }

  // MARK: Changelogs

  /// Returns the size and time of each copied changelog, keyed by name.
  func changelogs() throws -> [String: ChangelogRecord] {
    try read { db in
      let all = try ChangelogRecord.fetchAll(in: db)
      return Dictionary(all.map { ($0.name, $0) }) { _, last in last }
    }
  }

  func save(_ changelog: ChangelogRecord) throws {
    try write { db in try changelog.upsert(in: db) }
  }

  func deleteChangelog(_ name: String) throws {
    try write { db in try ChangelogRecord.delete(key: name, in: db) }
  }
}
