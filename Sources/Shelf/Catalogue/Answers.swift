public import UndercroftRelational

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a search found.
public struct SearchResult: Equatable, Sendable {
  /// The likeliest packages, as many as the display options allow.
  public let lines: [PackageLine]
  /// How many packages there are in all.
  public let total: Int
}

/// One line of a list of packages: a part of a row.
public struct PackageLine: Equatable, Sendable, Codable {
  /// The name.
  public let name: String
  /// The version.
  public let version: String
  /// The first line of the description.
  public let summary: String
}

/// A search that was made, and what came of it.
public struct PastSearch: Equatable, Sendable {
  /// What was looked for.
  public let text: String
  /// Where; empty for all sections.
  public let section: String
  /// How many packages it found.
  public let found: Int
  /// When it was made last.
  public let askedAt: Date
}

/// All that the catalogue knows of one package, from several tables of two databases.
public struct PackageCard: Equatable, Sendable {
  /// The number of its row.
  var number: Int64 = 0
  /// The name.
  public internal(set) var name = ""
  /// The version.
  public internal(set) var version = ""
  /// The architecture.
  public internal(set) var architecture = ""
  /// The section.
  public internal(set) var section = ""
  /// The size when installed, in KiB.
  public internal(set) var installedSize: Int64 = 0
  /// The first line of the description.
  public internal(set) var summary = ""
  /// What it needs, one text for each dependency: "awk | gawk (>= 5)".
  public internal(set) var needs: [String] = []
  /// The names of the packages that need it, or would take it among others.
  public internal(set) var neededBy: [String] = []
  /// The names of its changelogs.
  public internal(set) var changelogs: [String] = []
  /// What the user has noted on it, the oldest first.
  public internal(set) var notes: [String] = []
}

extension PackageCard: MappedRecord {
  public static var mapping: RecordMapping<PackageCard> {
    RecordMapping(
      .part(
        of: PackageRecord.table, Field(\.number, as: \.number), Field(\.name, as: \.name),
        Field(\.version, as: \.version), Field(\.architecture, as: \.architecture),
        Field(\.section, as: \.section), Field(\.installedSize, as: \.installedSize),
        Field(\.summary, as: \.summary)))
  }
}
