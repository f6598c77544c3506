import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft

#if GDBM
  import UndercroftGDBM
#endif

/// The options that locate the catalogue, and the choice of the backends of the catalogue.
struct ShelfHome: ParsableArguments {
  @Option(help: "The directory of the catalogue.", completion: .directory)
  var home: String?

  @Flag(help: "Store everything in memory and nothing on the disk.")
  var inMemory = false

  /// Returns a storage with the default backend for every kind, except a GDBM file for preferences.
  ///
  /// Without the package trait "GDBM", preferences have the default backend
  /// as well. With the option `--in-memory`, in-memory replacements of the
  /// backends are used, and nothing is written to the disk.
  ///
  /// - Parameter progress: the progress whose cancellation ends a migration, or `nil` to end a
  ///   migration at Ctrl-C.
  func storage(_ progress: ImportProgress? = nil) throws -> Storage {
    let directories = try directories()
    var storage = inMemory ? try .inMemory() : try Storage(directories, application: "shelf")
    #if GDBM
      try storage.use(
        .gdbm(at: directories.data.appending(path: "preferences.gdbm")), for: .preference)
    #endif
    for database in try databases() {
      let reporter = MigrationReporter(database, in: home, progress)
      let options = DatabaseOptions(migrator: reporter.migrator)
      try storage.use(
        inMemory ? .sqliteInMemory(options) : .sqlite(at: database.location, options),
        for: database.kind)
    }
    return storage
  }

  /// Returns the databases of the catalogue, each with the migrator that updates an earlier
  /// version.
  func databases() throws -> [ShelfDatabase] {
    let data = try directories().data
    return [
      ShelfDatabase(
        kind: .record, location: data.appending(path: "records.sqlite"), migrator: .packages),
      ShelfDatabase(
        kind: .annotation, location: data.appending(path: "own.sqlite"), migrator: .notes),
    ]
  }

  /// Opens the catalogue that an import has created.
  ///
  /// - Throws: ``NotFound`` if there is no catalogue, because
  ///   a command that only reads must not create one.
  func catalogue() throws -> Catalogue {
    try requireCatalogue()
    let catalogue = try Catalogue(try storage())
    try catalogue.checkForPackages()
    return catalogue
  }

  /// Throws ``NotFound`` unless there is a catalogue on the disk.
  func requireCatalogue() throws {
    if inMemory {
      throw NotFound(
        """
        cannot read the catalogue: with --in-memory, every command starts with an empty \
        catalogue; run the command without --in-memory
        """)
    }
    let path = try path()
    guard FileManager.default.fileExists(atPath: path) else {
      throw NotFound(
        """
        cannot read the catalogue \(path.debugDescription): the catalogue does not exist; check \
        the path, or run shelf import first
        """)
    }
  }

  /// Returns the path of the catalogue for messages.
  func path() throws -> String {
    try home ?? StorageDirectories(application: "shelf").data.path(percentEncoded: false)
  }

  private func directories() throws -> StorageDirectories {
    try home.map { StorageDirectories(home: URL(filePath: $0)) }
      ?? StorageDirectories(application: "shelf")
  }
}

/// A database of the catalogue, with its kind of data and its migrator.
struct ShelfDatabase {
  let kind: DataKind
  let location: URL
  let migrator: Migrator

  /// The name of the database in messages.
  var name: String { location.lastPathComponent }
}
