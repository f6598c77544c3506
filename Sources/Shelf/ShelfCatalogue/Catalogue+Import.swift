import Foundation
import Undercroft

extension Catalogue {
  /// Updates the catalogue to the content of a package database.
  ///
  /// After every step, each store is consistent. If an
  /// import is interrupted, the next import completes it.
  ///
  /// - Parameters:
  ///   - path: a file in the format of `/var/lib/dpkg/status`.
  ///   - changelogs: a directory such as `/usr/share/doc`, or `nil` to leave the changelogs
  ///     unchanged.
  ///   - progress: the object that reports every step and can cancel the import.
  /// - Returns: a report with one line for each kind of data.
  /// - Throws: ``InputError``, and `CancellationError` if the progress was cancelled.
  public func importPackages(
    from path: String, changelogs: String?, _ progress: ImportProgress
  ) throws -> ImportReport {
    var report = ImportReport()
    let files = try changelogs.map { directory throws(InputError) in
      try ChangelogFile.all(in: directory)
    }
    let changes = try report.timing(.record) {
      try packages.replace(by: try ControlReader(path), progress)
    }
    report.packages = changes
    let graph = try report.timing(.archive) {
      try derived(.dependencyGraph) { try packages.graph(progress) }
    }
    let sections = try report.timing(.cache) {
      try derived(.sectionCounts) { try packages.sectionCounts() }
    }
    try report.timing(.secret) { try makeToken() }
    let saved = try report.timing(.annotation) { try makeSearches() }
    let blobs = try report.timing(.blob) {
      try files.map {
        try Changelogs(storage: storage, packages: packages).replace(by: $0, progress)
      }
    }
    report.changelogs = blobs
    try report.timing(.preference) { () throws -> Void in
      let last = LastImport(path: path, packages: changes.packages)
      if storage[.lastImport] != last { try storage.save(last, for: .lastImport) }
    }
    let counts = try packages.counts()
    let own = try notes.counts()
    let preferences = try storage.names(of: .preference).count
    report.add(
      .record,
      "\(counted(counts.packages, "package")), "
        + counted(counts.dependencies, "dependency", "dependencies"))
    report.add(.archive, "\(counted(graph.dependencyCount, "arrow")) of the dependency graph")
    report.add(.blob, blobs.map { counted($0.count, "changelog") } ?? "left alone")
    report.add(.cache, "\(counted(sections.count, "section")) counted")
    report.add(.secret, "the account's token")
    report.add(
      .annotation,
      "\(counted(own.searches, "search", "searches")), "
        + "\(counted(saved, "saved search", "saved searches")), \(counted(own.notes, "note"))")
    report.add(
      .document,
      try storage.load(.server) == nil ? "not synchronised" : "the server of the synchronisation")
    report.add(.preference, counted(preferences, "preference"))
    try report.measure(storage)
    return report
  }

  /// Returns the value that is stored under `key`, after updating a missing or outdated value.
  ///
  /// A value is outdated if it was not derived from the current rows. A missing or outdated value
  /// is replaced by the result of `make`, which is stored and returned.
  func derived<Value>(
    _ key: StorageKey<Derived<Value>?>, make: () throws -> Derived<Value>
  ) throws -> Value {
    if let stored = try loaded(key), stored.fingerprint == (try packages.fingerprint()) {
      return stored.value
    }
    let new = try make()
    try storage.save(new, for: key)
    return new.value
  }

  /// Returns the stored value, or `nil` if there is none or it cannot be decoded, for example
  /// because another version of this program stored it.
  private func loaded<Value>(
    _ key: StorageKey<Derived<Value>?>
  ) throws(StorageError) -> Derived<Value>? {
    do throws(StorageError) {
      return try storage.load(key)
    } catch {
      if error.code == .decodingFailed { return nil }
      throw error
    }
  }

  private func makeToken() throws {
    guard try storage.load(.accountToken) == nil else { return }
    // The system's generator is cryptographically secure.
    var generator = SystemRandomNumberGenerator()
    let bytes = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    try storage.save(bytes.base64EncodedString(), for: .accountToken)
  }
}
