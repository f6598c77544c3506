import UndercroftRelational

/// A package as a row.
struct PackageRecord: TableRecord {
  /// Given at insertion.
  var number: Int64?
  /// Name and architecture, told apart where a list has them twice.
  let identity: String
  let name: String
  let version: String
  let architecture: String
  let section: String
  /// In KiB.
  let installedSize: Int64
  let summary: String
  /// Differs once the paragraph differs.
  let digest: Int64

  static let table = Table(
    "software", PackageRecord.init,
    Column("number", \.number).primaryKey(),
    Column("identity", \.identity).unique(),
    Column("name", \.name).indexed(),
    Column("version", \.version),
    Column("architecture", \.architecture),
    Column("section", \.section).indexed(),
    Column("installed_size", \.installedSize),
    Column("summary", \.summary),
    Column("digest", \.digest)
  ).fullText(\.name, \.summary, tokenizer: "undercroft_cjk")
}

extension PackageRecord {
  init(_ package: Package, as identity: String) {
    self.init(
      identity: identity, name: package.name, version: package.version,
      architecture: package.architecture, section: package.section,
      installedSize: package.installedSize, summary: package.summary, digest: package.digest)
  }
}

/// One package that would do for one thing that a package needs, as a row.
struct AlternativeRecord: TableRecord {
  let package: Int64
  /// Its dependency's place, and its own place in that.
  let position: Int
  let place: Int
  let name: String
  let requirement: String

  static let table = Table(
    "alternative", AlternativeRecord.init,
    Column("package", \.package).primaryKey().references(PackageRecord.self, onDelete: .cascade),
    Column("position", \.position).primaryKey(),
    Column("place", \.place).primaryKey(),
    Column("name", \.name).indexed(),
    Column("requirement", \.requirement)
  ).withoutRowID()

  /// Such as "gawk (>= 5)".
  var text: String { requirement.isEmpty ? name : "\(name) (\(requirement))" }
}

/// How a changelog looked when it was copied.
struct ChangelogRecord: TableRecord, Equatable {
  let name: String
  let size: Int64
  let modified: Int64

  static let table = Table(
    "copied_changelog", ChangelogRecord.init,
    Column("name", \.name).primaryKey(),
    Column("size", \.size),
    Column("modified", \.modified)
  ).withoutRowID()
}

/// What the rows were made from: one row, changed in the same transaction as they.
struct SourceRecord: TableRecord {
  var id = 1
  let fingerprint: Int64
  let packages: Int

  static let table = Table(
    "import_source", SourceRecord.init,
    Column("id", \.id).primaryKey().check("id = 1"),
    Column("fingerprint", \.fingerprint),
    Column("packages", \.packages))
}
