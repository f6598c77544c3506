import Foundation
public import Undercroft

/// A catalogue of software, which stores all its data in one ``Storage``.
public struct Catalogue: Sendable {
  let storage: Storage
  let packages: PackageDataCenter
  let notes: NotesDataCenter

  /// Opens the catalogue in a storage.
  public init(_ storage: Storage) throws {
    self.storage = storage
    packages = try PackageDataCenter(storage)
    notes = try NotesDataCenter(storage)
    do {
      try adoptSavedDocuments()
    } catch let error as StorageError where error.code == .accessDenied {
      // A user who may only read the catalogue can use it as well.
    }
  }

  /// Returns the packages whose name or summary contains every word of the search.
  ///
  /// The last word may be the beginning of a longer word. The search is stored in the
  /// history and as the last search, unless the user may only read the catalogue.
  public func search(_ search: SavedSearch) throws -> SearchResult {
    let result = try packages.search(search, limit: storage[.display].limit)
    do {
      try storage.save(search.text, for: .lastQuery)
      try notes.remember(search, found: result.total)
    } catch let error as StorageError where error.code == .accessDenied {
      // A user who may only read the catalogue can search it as well.
    }
    return result
  }

  /// Returns the searches in the history, the latest first.
  public func history(atMost limit: Int) throws -> [PastSearch] {
    try notes.searches(atMost: limit)
  }

  /// Adds a note to a package.
  ///
  /// - Throws: ``NotFound`` if there is no such package, and ``InputError/emptyNote`` if the text
  ///   is blank.
  public func note(_ text: String, on name: String) throws {
    _ = try packages(named: name)
    try notes.note(text, on: name)
  }

  /// The text of the last search.
  public var lastQuery: String { storage[.lastQuery] }

  /// Stores the maximum number of lines in a list of packages as a preference.
  public func show(atMost limit: Int) throws {
    try storage.edit(.preference) { $0[.display].limit = limit }
  }

  /// Returns all packages with the given name.
  ///
  /// A package can have several versions or architectures.
  ///
  /// - Throws: ``NotFound`` if there is no such package.
  public func packages(named name: String) throws -> [PackageCard] {
    let changelogs = try storage.names(of: .blob, withPrefix: name + "/")
    let notes = try notes.notes(on: name)
    let cards = try packages.packages(named: name).map { card in
      var card = card
      card.changelogs = changelogs
      card.notes = notes
      return card
    }
    if cards.isEmpty { throw unknown(name) }
    return cards
  }

  /// Returns the names of all direct and indirect dependencies of a package, in sorted order.
  ///
  /// - Throws: ``NotFound`` if there is no such package.
  public func closure(of name: String) throws -> [String] {
    let graph = try derived(.dependencyGraph) { try packages.graph(ImportProgress()) }
    let closure = graph.closure(of: name).sorted()
    if closure.isEmpty { _ = try packages(named: name) }
    return closure
  }

  /// Throws ``NotFound`` if nothing has been imported yet.
  public func checkForPackages() throws {
    if try packages.fingerprint() == nil {
      throw NotFound(
        """
        cannot use the catalogue \(homeText): no package has been imported; first import packages \
        into this catalogue with shelf import
        """)
    }
  }

  /// Throws an ``InputError`` if the file at `path` cannot be
  /// read, or does not begin with the description of a package.
  ///
  /// A pipe is not checked, because a pipe can be read only once.
  public static func check(input path: String) throws(InputError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { return }
    var reader = try ControlReader(path)
    if try reader.next() == nil { throw reader.empty }
  }

  private func unknown(_ name: String) -> NotFound {
    NotFound(
      """
      cannot find the package \(name.debugDescription): the catalogue contains no package with \
      this name; run shelf search to list similar names
      """)
  }
}
