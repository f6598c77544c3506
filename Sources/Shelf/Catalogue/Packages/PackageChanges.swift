/// What an import did to the packages.
struct PackageChanges: Equatable {
  /// As many changes are told one by one.
  private static let most = 10

  var packages = 0
  var isFirst = false
  private(set) var added = 0
  private(set) var changed = 0
  private(set) var removed = 0
  /// The first changes, for people; empty for a first import, where everything is new.
  private(set) var examples: [String] = []

  init(packages: Int = 0) { self.packages = packages }

  var count: Int { added + changed + removed }

  mutating func add(_ package: Package) {
    added += 1
    tell { "+ \(package.name) \(package.version)" }
  }

  mutating func change(_ package: Package, from version: String) {
    changed += 1
    let isSame = version == package.version
    tell { "~ \(package.name) \(version)\(isSame ? "" : " → \(package.version)")" }
  }

  mutating func remove(_ id: String, _ version: String) {
    removed += 1
    tell { "- \(id.prefix { $0 != ":" }) \(version)" }
  }

  private mutating func tell(_ line: () -> String) {
    if !isFirst, examples.count < Self.most { examples.append(line()) }
  }
}
