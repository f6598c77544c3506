import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft
import UndercroftGDBM
import UndercroftMigration
import UndercroftSQLite

/// Where the catalogue is, and the one place where its backends are chosen.
struct ShelfHome: ParsableArguments {
  @Option(help: "The directory of the catalogue.", completion: .directory)
  var home: String?

  @Flag(help: "Keep everything in memory and nothing on the disk.")
  var inMemory = false

  /// The default routes of a home, with preferences in a GDBM file; in memory the same choices are made and nothing is written.
  ///
  /// - Parameter progress: what ends a migration, if Ctrl-C is heard of already.
  func storage(_ progress: ImportProgress? = nil) throws -> Storage {
    let directories = try directories()
    var storage = inMemory ? try .inMemory() : try Storage(directories, application: "shelf")
    try storage.use(
      .gdbm(at: directories.data.appending(path: "preferences.gdbm")), for: .preference)
    for database in try databases() {
      let news = MigrationNews(database, in: home, progress)
      let options = DatabaseOptions().migrated(by: news.migrator)
      try storage.use(
        inMemory ? .sqliteInMemory(options) : .sqlite(at: database.location, options),
        for: database.kind)
    }
    return storage
  }

  /// The databases of a home, each with what brings one of an earlier version to the schema of today.
  func databases() throws -> [ShelfDatabase] {
    let data = try directories().data
    return [
      ShelfDatabase(
        kind: .record, location: data.appending(path: "records.sqlite"), migrator: .packages),
      ShelfDatabase(
        kind: .annotation, location: data.appending(path: "own.sqlite"), migrator: .notes),
    ]
  }

  /// Opens what an import has made; nothing is made for a question.
  func catalogue() throws -> Catalogue {
    try requireHome()
    let catalogue = try Catalogue(try storage())
    try catalogue.checkForPackages()
    return catalogue
  }

  /// Throws unless there is a home on the disk.
  func requireHome() throws {
    if inMemory {
      throw NotFound("a catalogue in memory is empty at first; ask without --in-memory")
    }
    let path = try path()
    guard FileManager.default.fileExists(atPath: path) else {
      throw NotFound("there is no catalogue in \(path); run shelf import first")
    }
  }

  /// The path to show to whoever wants to look inside.
  func path() throws -> String {
    try home ?? StorageDirectories(application: "shelf").data.path(percentEncoded: false)
  }

  private func directories() throws -> StorageDirectories {
    try home.map { StorageDirectories(home: URL(filePath: $0)) }
      ?? StorageDirectories(application: "shelf")
  }
}

/// A database of a home.
struct ShelfDatabase {
  let kind: DataKind
  let location: URL
  let migrator: Migrator

  /// As it is spoken of.
  var name: String { location.lastPathComponent }
}
