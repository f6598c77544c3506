import Undercroft
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// All that the catalogue keeps besides its rows, each with its kind and its default.

extension DataKind {
  /// What the user has asked and noted, as rows: not to be mixed with what can be imported again.
  public static let annotation = DataKind("annotation", needs: .relational)
}

extension StorageKey<LastImport?> {
  /// What was imported last; written when all the rest is done.
  public static var lastImport: Self { Self("last-import", kind: .preference) }
}

extension StorageKey<String> {
  /// What was searched for last.
  public static var lastQuery: Self { Self("last-query", kind: .preference, default: "") }
}

extension StorageKey<DisplayOptions> {
  /// How lists are shown.
  public static var display: Self { Self("display", kind: .preference, default: .init()) }
}

extension StorageKey<String?> {
  /// The token of the account that would share the catalogue.
  public static var accountToken: Self { Self("account-token", kind: .secret) }
}

extension StorageKey<SavedSearch?> {
  /// A search that can be repeated by name.
  public static func savedSearch(_ title: String) -> Self { Self(title, kind: .document) }
}

extension StorageKey<Derived<DependencyGraph>?> {
  /// Who needs whom; made again when it is gone or the rows have changed.
  public static var dependencyGraph: Self { Self("dependency-graph", kind: .archive) }
}

extension StorageKey<Data?> {
  /// A changelog, as it lies under /usr/share/doc.
  public static func changelog(_ name: String) -> Self { Self(name, kind: .blob, as: .bytes) }
}

extension StorageKey<Derived<[String: Int]>?> {
  /// How many packages each section has; counted again in the same way.
  public static var sectionCounts: Self { Self("section-counts", kind: .cache) }
}

/// What was imported.
public struct LastImport: Codable, Sendable, Equatable {
  /// The file.
  public let path: String
  /// How many packages it names.
  public let packages: Int
}

/// How lists are shown.
public struct DisplayOptions: Codable, Sendable, Equatable {
  /// How many lines a list has at most.
  public var limit = 20

  /// Makes the options.
  public init(limit: Int = 20) { self.limit = limit }
}

/// A search that can be repeated by name.
public struct SavedSearch: Codable, Sendable, Equatable {
  /// What to look for in names and summaries.
  public var text: String
  /// Only this section.
  public var section: String?

  /// Makes a search.
  public init(text: String, section: String?) {
    self.text = text
    self.section = section
  }
}
