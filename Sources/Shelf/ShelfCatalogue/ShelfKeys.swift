public import Undercroft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The keys of all values that the catalogue stores
// besides rows, each with its kind and default value.

extension DataKind {
  /// The kind of the user's searches and notes.
  ///
  /// These are rows in a separate database, because they cannot be imported again.
  public static let annotation = DataKind("annotation", requiredCapabilities: .relational)
}

extension StorageKey<LastImport?> {
  /// The key of a description of the last import, which each import stores at its end.
  public static var lastImport: Self { Self("last-import", kind: .preference) }
}

extension StorageKey<String> {
  /// The key of the text of the last search.
  public static var lastQuery: Self { Self("last-query", kind: .preference, default: "") }
}

extension StorageKey<DisplayOptions> {
  /// The key of the user's options for the display of lists.
  public static var display: Self { Self("display", kind: .preference, default: .init()) }
}

extension StorageKey<String?> {
  /// The key of a random account token, an example of a value that must be stored encrypted.
  public static var accountToken: Self { Self("account-token", kind: .secret) }
}

extension StorageKey<SavedSearch?> {
  /// Returns the key of the document in which an earlier version of this program stored a saved
  /// search.
  public static func savedSearch(_ title: String) -> Self { Self(title, kind: .document) }
}

extension StorageKey<Derived<DependencyGraph>?> {
  /// The key of the dependency graph.
  ///
  /// The graph is derived from the rows again if it is missing or the rows have changed.
  public static var dependencyGraph: Self { Self("dependency-graph", kind: .archive) }
}

extension StorageKey<Data?> {
  /// Returns the key of a changelog, whose value is a copy of the file under `/usr/share/doc`.
  public static func changelog(_ name: String) -> Self { Self(name, kind: .blob, as: .bytes) }
}

extension StorageKey<Derived<[String: Int]>?> {
  /// The key of the package counts by section.
  ///
  /// The counts are derived from the rows again if they are missing or the rows have changed.
  public static var sectionCounts: Self { Self("section-counts", kind: .cache) }
}

/// The file of the last import, with the number of its packages.
public struct LastImport: Codable, Sendable, Equatable {
  /// The path of the imported file.
  public let path: String
  /// The number of packages in the file.
  public let packages: Int

  private enum CodingKeys: String, CodingKey {
    case path = "path"
    case packages = "packages"
  }
}

/// The user's options for the display of lists.
public struct DisplayOptions: Codable, Sendable, Equatable {
  /// The maximum number of lines in a list.
  public var limit = 20

  private enum CodingKeys: String, CodingKey {
    case limit = "limit"
  }

  /// Creates options with the maximum number of lines in a list.
  public init(limit: Int = 20) { self.limit = limit }
}

/// A search that can be repeated by its title.
public struct SavedSearch: Codable, Sendable, Equatable {
  /// The words to find in names and summaries.
  public var text: String
  /// The section to search, or `nil` for all sections.
  public var section: String?

  private enum CodingKeys: String, CodingKey {
    case text = "text"
    case section = "section"
  }

  /// Creates a search for words in one section, or in all sections if `section` is `nil`.
  public init(text: String, section: String?) {
    self.text = text
    self.section = section
  }
}
