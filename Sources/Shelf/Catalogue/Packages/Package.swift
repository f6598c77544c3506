/// One package of the catalogue.
public struct Package: Equatable, Sendable {
  /// The name, such as "libc6".
  public let name: String
  /// The version.
  public let version: String
  /// The architecture, such as "amd64" or "all".
  public let architecture: String
  /// The section, such as "libs".
  public let section: String
  /// The size when installed, in KiB.
  public let installedSize: Int64
  /// The first line of the description.
  public let summary: String
  /// What it needs.
  public let dependencies: [Dependency]
  /// Differs once the paragraph differs.
  package let digest: Int64

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

/// One thing that a package needs: any one of several packages, each perhaps in a certain version.
public struct Dependency: Equatable, Sendable {
  /// One package that would do.
  public struct Alternative: Equatable, Sendable {
    /// Its name, without an architecture.
    public let name: String
    /// The version that it must have, such as ">= 2.36"; empty if any will do.
    public let requirement: String
  }

  /// In the order of preference.
  public let alternatives: [Alternative]

  /// Reads a relation such as `libc6 (>= 2.36), awk | gawk`.
  public static func parse(_ text: String) -> [Dependency] {
    text.split(separator: ",").compactMap { part in
      let alternatives = part.split(separator: "|").compactMap { text in alternative(text) }
      return alternatives.isEmpty ? nil : Dependency(alternatives: alternatives)
    }
  }

  private static func alternative(_ text: Substring) -> Alternative? {
    // Restrictions to architectures and profiles, in brackets, say nothing of this machine.
    // A "<" may belong to a version in parentheses. Looked for once, as a line may have a million of them.
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
