public import Undercroft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The packages that a search of the catalogue has found.
public struct SearchResult: Equatable, Sendable {
  /// The best matching packages, at most as many as ``DisplayOptions/limit``.
  public let lines: [PackageLine]
  /// The number of all matching packages, including packages that are not in ``lines``.
  public let total: Int
}

/// One line of a list of packages: the name, version and summary of a package.
public struct PackageLine: Equatable, Sendable, Codable {
  /// The name of the package.
  public let name: String
  /// The version of the package.
  public let version: String
  /// The first line of the description of the package.
  public let summary: String

  private enum CodingKeys: String, CodingKey {
    case name = "name"
    case version = "version"
    case summary = "summary"
  }
}

/// An earlier search and its result.
public struct PastSearch: Equatable, Sendable {
  /// The text that was searched for.
  public let text: String
  /// The section that was searched, or an empty string for all sections.
  public let section: String
  /// The number of packages that the search found.
  public let found: Int
  /// The time when the search was last made.
  public let askedAt: Date
}

/// The data of the catalogue about one package.
///
/// The data comes from several tables of two databases,
/// and from the names of the stored changelogs.
public struct PackageCard: Equatable, Sendable {
  /// The rowid of the package.
  var number: Int64 = 0
  /// The name of the package.
  public internal(set) var name = ""
  /// The version of the package.
  public internal(set) var version = ""
  /// The architecture, such as "amd64" or "all".
  public internal(set) var architecture = ""
  /// The section, such as "libs".
  public internal(set) var section = ""
  /// The size of the installed package, in KiB.
  public internal(set) var installedSize: Int64 = 0
  /// The first line of the description of the package.
  public internal(set) var summary = ""
  /// The dependencies, each as one string such as "awk | gawk (>= 5)".
  public internal(set) var needs: [String] = []
  /// The names of the packages that depend on this package, or
  /// on one of several alternatives that include this package.
  public internal(set) var neededBy: [String] = []
  /// The names of the package's changelogs.
  public internal(set) var changelogs: [String] = []
  /// The user's notes on the package, the oldest first.
  public internal(set) var notes: [String] = []
}

extension PackageCard: MappedRecord {
  public static var mapping: RecordMapping<PackageCard> {
    RecordMapping(
      .part(
        of: PackageRecord.table, MappedField(\.number, as: \.number),
        MappedField(\.name, as: \.name),
        MappedField(\.version, as: \.version), MappedField(\.architecture, as: \.architecture),
        MappedField(\.section, as: \.section), MappedField(\.installedSize, as: \.installedSize),
        MappedField(\.summary, as: \.summary)))
  }
}
