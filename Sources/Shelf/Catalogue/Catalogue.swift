import Crypto
import Foundation
import Undercroft
public import UndercroftCore
import UndercroftSQLite

/// The catalogue of software: all it knows is in one storage, whatever the backends are.
public struct Catalogue {
  private let storage: Storage
  private let rows: PackageRows

  /// Opens the catalogue in a storage.
  public init(_ storage: Storage) throws {
    self.storage = storage
    rows = try PackageRows(storage)
  }

  /// Makes the catalogue say what a package database says.
  ///
  /// - Parameters:
  ///   - path: a file in the format of `/var/lib/dpkg/status`.
  ///   - changelogs: a directory such as `/usr/share/doc`, or `nil` to leave changelogs alone.
  /// - Throws: ``InputError``; `CancellationError` when the progress was cancelled.
  public func importPackages(
    from path: String, changelogs: String?, _ progress: ImportProgress
  ) throws -> ImportReport {
    var report = ImportReport()
    let changes = try report.timing(.record) {
      try rows.replace(by: try ControlReader(path), progress)
    }
    report.packages = changes
    let graph = try report.timing(.archive) { try self.graph(isStale: !changes.isNothing) }
    let files = try report.timing(.blob) { () throws -> Changelogs.Changes? in
      try changelogs.map { try Changelogs(storage: storage, rows: rows).replace(by: $0, progress) }
    }
    report.changelogs = files ?? .init()
    let sections = try report.timing(.cache) { try self.sections(isStale: !changes.isNothing) }
    try report.timing(.secret) { try makeToken() }
    let searches = try report.timing(.document) { try makeSearches() }
    try report.timing(.preference) { () throws -> Void in
      let last = LastImport(path: path, packages: changes.packages, digest: changes.digest)
      if storage[.lastImport] != last { try storage.save(last, for: .lastImport) }
    }
    let counts = try rows.counts()
    report.add(.record, "\(counts.packages) packages, \(counts.dependencies) dependencies")
    report.add(.archive, "\(graph.arrowCount) arrows of the dependency graph")
    report.add(.blob, files.map { "\($0.count) changelogs" } ?? "left alone")
    report.add(.cache, "\(sections.count) sections counted")
    report.add(.secret, "1 account token")
    report.add(.document, "\(searches) saved searches")
    report.add(.preference, "\(try storage.keys(of: .preference).count) preferences")
    try report.measure(storage)
    return report
  }

  private func graph(isStale: Bool) throws -> DependencyGraph {
    if !isStale, let kept = try storage.load(.dependencyGraph) { return kept }
    let graph = try rows.graph()
    try storage.save(graph, for: .dependencyGraph)
    return graph
  }

  private func sections(isStale: Bool) throws -> [String: Int] {
    if !isStale, let kept = try storage.load(.sectionCounts) { return kept }
    let counts = try rows.sectionCounts()
    try storage.save(counts, for: .sectionCounts)
    return counts
  }

  private func makeToken() throws {
    guard try storage.load(.accountToken) == nil else { return }
    let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    try storage.save(bytes.base64EncodedString(), for: .accountToken)
  }

  /// Two to begin with; the user's own are left as they are.
  private func makeSearches() throws -> Int {
    let names = try storage.keys(of: .document)
    if !names.isEmpty { return names.count }
    try storage.edit(.document) { edit in
      try edit.save(SavedSearch(text: "lib", section: "libs"), for: .savedSearch("libraries"))
      try edit.save(SavedSearch(text: "compiler", section: nil), for: .savedSearch("compilers"))
    }
    return 2
  }

  // MARK: Asking

  /// Returns packages whose name or summary holds `text`, and remembers the question.
  public func search(_ text: String, section: String? = nil) throws -> [PackageLine] {
    try storage.save(text, for: .lastQuery)
    let limit = storage[.display].limit
    let pattern = "%" + text.replacingOccurrences(of: "%", with: "") + "%"
    return try rows.database.read { db in
      try db.query(
        """
        SELECT name, version, summary FROM package
        WHERE (name LIKE \(pattern) OR summary LIKE \(pattern))
          AND (\(section) IS NULL OR section = \(section))
        ORDER BY name LIMIT \(limit)
        """
      ) { row in PackageLine(name: try row[0], version: try row[1], summary: try row[2]) }
    }
  }

  /// Keeps a search under a title.
  public func save(_ search: SavedSearch, as title: String) throws {
    try storage.save(search, for: .savedSearch(title))
  }

  /// Returns the search kept under a title.
  public func savedSearch(_ title: String) throws -> SavedSearch? {
    try storage.load(.savedSearch(title))
  }

  /// Returns what a package needs in the end, by name.
  public func closure(of name: String) throws -> [String] {
    try storage.load(.dependencyGraph)?.closure(of: name).sorted() ?? []
  }
}

/// One line of a list of packages.
public struct PackageLine: Equatable, Sendable {
  /// The name.
  public let name: String
  /// The version.
  public let version: String
  /// The first line of the description.
  public let summary: String
}
