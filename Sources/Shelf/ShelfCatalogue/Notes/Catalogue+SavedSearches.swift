import Undercroft

extension Catalogue {
  /// Saves a search under a title.
  ///
  /// - Throws: ``InputError/emptyTitle`` if the title is empty.
  public func save(_ search: SavedSearch, as title: String) throws {
    try notes.save(search, as: title)
  }

  /// Returns the search that was saved under a title.
  ///
  /// - Throws: ``NotFound`` if there is no such search.
  public func savedSearch(_ title: String) throws -> SavedSearch {
    if let search = try notes.savedSearch(title) { return search }
    let titles = try notes.titles().map(\.debugDescription).joined(separator: ", ")
    let suggestion =
      titles.isEmpty
      ? "save a search with shelf search --save TITLE" : "choose one of these titles: \(titles)"
    throw NotFound(
      """
      cannot find the saved search \(title.debugDescription): no saved search has this title; \
      \(suggestion)
      """)
  }

  /// The titles of all saved searches, in sorted order.
  public var savedTitles: [String] {
    get throws { try notes.titles() }
  }

  /// Moves the searches that an earlier version saved as documents into the table
  /// `saved_search`.
  ///
  /// A document is removed after its row is committed, so an interruption loses no search.
  func adoptSavedDocuments() throws {
    let searches = try storage.names(of: .document).compactMap { title in
      try savedDocument(title).map { (title: title, search: $0) }
    }
    if searches.isEmpty { return }
    try notes.adopt(searches)
    for (title, _) in searches { try storage.remove(.savedSearch(title)) }
  }

  /// Returns the search in a document, or `nil` if the document contains something else.
  private func savedDocument(_ title: String) throws -> SavedSearch? {
    do throws(StorageError) {
      return try storage.load(.savedSearch(title))
    } catch {
      if error.code == .decodingFailed { return nil }
      throw error
    }
  }

  /// Saves two example searches if no search is saved yet, and returns the number of all saved
  /// searches.
  func makeSearches() throws -> Int {
    let titles = try notes.titles()
    if !titles.isEmpty { return titles.count }
    try save(SavedSearch(text: "lib", section: "libs"), as: "libraries")
    try save(SavedSearch(text: "compiler", section: nil), as: "compilers")
    return 2
  }
}
