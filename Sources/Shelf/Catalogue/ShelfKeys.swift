import Undercroft
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// All that the catalogue keeps besides its rows, each with its kind and its default.

extension StorageKey<LastImport?> {
  /// What was imported last; written when all the rest is safe.
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

extension StorageKey<DependencyGraph?> {
  /// Who needs whom.
  public static var dependencyGraph: Self { Self("dependency-graph", kind: .archive) }
}

extension StorageKey<Data?> {
  /// A changelog, as it lies under /usr/share/doc.
  public static func changelog(_ name: String) -> Self { Self(name, kind: .blob, as: .bytes) }
}

extension StorageKey<[String: Int]?> {
  /// How many packages each section has; counted again when it is gone.
  public static var sectionCounts: Self { Self("section-counts", kind: .cache) }
}

/// What was imported, and how it looked.
public struct LastImport: Codable, Sendable, Equatable {
  let path: String
  package let packages: Int
  let digest: UInt64
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
