import Undercroft

/// A row with a search that can be repeated by its title.
struct SavedSearchRecord: TableRecord {
  let title: String
  let text: String
  /// The section, or an empty string for all sections.
  let section: String

  static let table = Table(
    "saved_search", SavedSearchRecord.init(title:text:section:),
    Column("title", \.title).primaryKey(),
    Column("text", \.text),
    Column("section", \.section)
  ).checking { search in
    if search.title.isEmpty { throw InputError.emptyTitle }
  }

  init(title: String, text: String, section: String) {
    (self.title, self.text, self.section) = (title, text, section)
  }

  init(_ search: SavedSearch, title: String) {
    self.init(title: title, text: search.text, section: search.section ?? "")
  }

  var search: SavedSearch { SavedSearch(text: text, section: section.isEmpty ? nil : section) }
}
