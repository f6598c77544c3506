/// One package of the catalogue.
public struct Package: Equatable, Sendable {
  /// The name of the package, such as "libc6".
  public let name: String
  /// The version of the package.
  public let version: String
  /// The architecture, such as "amd64" or "all".
  public let architecture: String
  /// The section, such as "libs".
  public let section: String
  /// The size of the installed package, in KiB.
  public let installedSize: Int64
  /// The first line of the description of the package.
  public let summary: String
  /// The dependencies of the package.
  public let dependencies: [Dependency]
  /// A checksum of the paragraph that describes the package in the package database.
  ///
  /// An import compares checksums to detect changed packages.
  public let digest: Int64

  init(name: String, fields: [String: String], digest: Int64) {
    self.name = name
    version = fields["version"] ?? ""
    architecture = fields["architecture"] ?? ""
    section = fields["section"] ?? ""
    installedSize = fields["installed-size"].flatMap { Int64($0) } ?? 0
    summary = fields["description"] ?? ""
    dependencies =
      Dependency.parse(fields["pre-depends"] ?? "") + Dependency.parse(fields["depends"] ?? "")
    self.digest = digest
  }
}

/// A dependency of a package on any one of several alternative packages.
public struct Dependency: Equatable, Sendable {
  /// One of the packages that can satisfy the dependency.
  public struct Alternative: Equatable, Sendable {
    /// The name of the package, without an architecture.
    public let name: String
    /// The required version, such as ">= 2.36", or an empty string for any version.
    public let requirement: String
  }

  /// The alternatives in the order of preference.
  public let alternatives: [Alternative]

  /// Parses the value of a `Depends` field, such as `libc6 (>= 2.36), awk | gawk`.
  ///
  /// A comma separates dependencies, and a bar separates the alternatives of one dependency.
  public static func parse(_ text: String) -> [Dependency] {
    text.split(separator: ",").compactMap { part in
      let alternatives = part.split(separator: "|").compactMap { text in alternative(text) }
      return alternatives.isEmpty ? nil : Dependency(alternatives: alternatives)
    }
  }

  private static func alternative(_ text: Substring) -> Alternative? {
    // Ignore restrictions to architectures and profiles in brackets: the package is already built
    // for this machine. A "<" may belong to a version in parentheses. Search for the parenthesis
    // once, because a line may contain a million "<".
    let hasVersion = text.contains("(")
    let plain = text.prefix { $0 != "[" && ($0 != "<" || hasVersion) }
    let words = plain.split(separator: "(", maxSplits: 1)
    guard let name = words.first?.split(separator: " ").first?.split(separator: ":").first else {
      return nil
    }
    let requirement = words.dropFirst().first?.prefix { $0 != ")" } ?? ""
    return Alternative(name: String(name), requirement: String(requirement))
  }
}
