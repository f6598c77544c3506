/// The changes that an import made to the packages.
struct PackageChanges: Equatable {
  /// The maximum number of changes that are listed individually.
  private static let maximumExamples = 10

  var packages = 0
  var isFirst = false
  private(set) var added = 0
  private(set) var changed = 0
  private(set) var removed = 0
  /// The first changes, one line each, or no lines for a first import, where every package is new.
  private(set) var examples: [String] = []

  init(packages: Int = 0) { self.packages = packages }

  var count: Int { added + changed + removed }

  mutating func add(_ package: Package) {
    added += 1
    addExample { "+ \(package.name) \(package.version)" }
  }

  mutating func change(_ package: Package, from version: String) {
    changed += 1
    let isSame = version == package.version
    addExample { "~ \(package.name) \(version)\(isSame ? "" : " → \(package.version)")" }
  }

  mutating func remove(_ id: String, _ version: String) {
    removed += 1
    addExample { "- \(id.prefix { $0 != ":" }) \(version)" }
  }

  private mutating func addExample(_ line: () -> String) {
    if !isFirst, examples.count < Self.maximumExamples { examples.append(line()) }
  }
}
