import Foundation
import ShelfCatalogue
import Undercroft
import UndercroftMigration
import UndercroftSQLite

/// The databases of a home that an earlier commit of the program created.
enum OldHome: String, CaseIterable {
  /// The first commit.
  case first
  /// The commits up to eb3723b.
  case byName
  /// Commit 0667efb, with declared tables.
  case declared
  /// A home of commit eb3723b that commit 0667efb has used, which contains the outdated old tables
  /// and the new tables.
  case both

  /// The input of all these homes.
  static let input = """
    Package: dune
    Version: 1.0-2
    Architecture: all
    Section: novels
    Installed-Size: 412
    Depends: paper (>= 2.0), ink | toner [amd64],
     binding:any (= 1)
    Pre-Depends: author
    Description: A desert planet
     Long text that is not kept.

    Package: emma
    Version: 3
    Architecture: amd64
    Section: novels
    Depends: dune | solaris (>= 2)
    Description: The owner's "match-making"

    Package: solaris
    Version: 1
    Architecture: all
    Section: tales
    Description: 索拉里斯 an ocean that thinks

    Package: solaris
    Version: 2
    Architecture: all
    Section: tales
    Installed-Size: 7
    Depends: paper
    Description: An ocean that thinks


    """

  /// The version of the package tables.
  var version: String {
    switch self {
    case .first: "1"
    case .byName: "2"
    case .declared, .both: "3"
    }
  }

  /// Creates the databases in a folder.
  func make(in home: URL) throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let records = try Database(at: home.appending(path: "records.sqlite"))
    try records.write { db in
      if self != .declared { try db.executeScript(Self.byNameTables) }
      if self == .byName || self == .both { try db.executeScript(Self.sourceTable) }
      if self == .declared || self == .both { try db.executeScript(Self.declaredTables) }
      if self == .both { try db.execute("UPDATE package SET version = '2' WHERE name = 'emma'") }
    }
    try records.close()
    guard self == .declared || self == .both else { return }
    let own = try Database(at: home.appending(path: "own.sqlite"))
    try own.write { db in try db.executeScript(Self.ownTables) }
    try own.close()
  }

  /// Opens a home as the program does.
  static func storage(
    _ home: URL, _ onEvent: (@Sendable (MigrationEvent) throws -> Void)? = nil
  ) throws -> Storage {
    var (packages, notes) = (Migrator.packages, Migrator.notes)
    (packages.onEvent, notes.onEvent) = (onEvent, onEvent)
    var storage = try Storage(home: home)
    let (records, own) = (
      home.appending(path: "records.sqlite"), home.appending(path: "own.sqlite")
    )
    try storage.use(.sqlite(at: records, .init(migrator: packages)), for: .record)
    try storage.use(.sqlite(at: own, .init(migrator: notes)), for: .annotation)
    return storage
  }
}
