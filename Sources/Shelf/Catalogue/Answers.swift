/// What a search found.
public struct SearchResult: Equatable, Sendable {
  /// The likeliest packages, as many as the display options allow.
  public internal(set) var lines: [PackageLine]
  /// How many packages there are in all.
  public internal(set) var total: Int
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

/// All that the catalogue knows of one package.
public struct PackageCard: Equatable, Sendable {
  /// The name.
  public let name: String
  /// The version.
  public let version: String
  /// The architecture.
  public let architecture: String
  /// The section.
  public let section: String
  /// The size when installed, in KiB.
  public let installedSize: Int64
  /// The first line of the description.
  public let summary: String
  /// What it needs, one text for each dependency: "awk | gawk (>= 5)".
  public internal(set) var needs: [String] = []
  /// The names of the packages that need it, or would take it among others.
  public let neededBy: [String]
  /// The names of its changelogs.
  public internal(set) var changelogs: [String] = []
}
