import Undercroft

/// A row of the table of packages, which describes one Debian package in the catalogue.
struct PackageRecord: TableRecord {
  /// The rowid, or `nil` before the package is inserted.
  var number: Int64?
  /// The name and architecture, followed by a number if the imported list contains the same name
  /// and architecture more than once.
  let identity: String
  let name: String
  let version: String
  let architecture: String
  let section: String
  /// The size of the installed package, in KiB.
  let installedSize: Int64
  let summary: String
  /// A checksum of the paragraph that describes the package in the package database.
  ///
  /// An import compares checksums to detect changed packages.
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

/// A row with one of the packages that can satisfy a dependency.
struct AlternativeRecord: TableRecord {
  let package: Int64
  /// The index of the dependency among the dependencies of the package, counted from 0.
  let position: Int
  /// The index of the alternative among the alternatives of the dependency, counted from 0.
  let index: Int
  let name: String
  let requirement: String

  static let table = Table(
    "alternative", AlternativeRecord.init,
    Column("package", \.package).primaryKey().references(PackageRecord.self, onDelete: .cascade),
    Column("position", \.position).primaryKey(),
    Column("place", \.index).primaryKey(),
    Column("name", \.name).indexed(),
    Column("requirement", \.requirement)
  ).withoutRowID()

  /// The alternative for display, such as "gawk (>= 5)".
  var text: String { requirement.isEmpty ? name : "\(name) (\(requirement))" }
}

/// A row with the size and modification time that a changelog file had when the file was copied.
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

/// The only row of the table `import_source`, which identifies the file that the packages came
/// from.
///
/// This row is changed in the same transaction as the packages.
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
