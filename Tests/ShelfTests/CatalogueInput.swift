import Foundation
import ShelfCatalogue
import Undercroft

/// A package database and changelogs in a directory, and an in-memory catalogue of them.
struct CatalogueInput {
  let directory: URL
  let storage: Storage
  var status: URL { directory.appending(path: "status") }
  var doc: URL { directory.appending(path: "doc") }

  init(_ directory: URL) throws {
    self.directory = directory
    storage = try Self.memory()
    try write(ControlReaderTests.sound)
    try changelog("dune", "First edition")
  }

  /// An in-memory storage with all kinds that a catalogue uses.
  static func memory() throws -> Storage {
    var storage = try Storage.inMemory()
    try storage.use(.sqliteInMemory, for: .annotation)
    return storage
  }

  func write(_ text: String) throws { try Data(text.utf8).write(to: status) }

  func changelog(_ name: String, _ text: String) throws {
    let folder = doc.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "changelog.gz"))
  }

  func run(_ progress: ImportProgress = ImportProgress()) throws -> ImportReport {
    try run(into: storage, progress)
  }

  func run(into storage: Storage, _ progress: ImportProgress = ImportProgress()) throws
    -> ImportReport
  {
    try Catalogue(storage).importPackages(from: status.path, changelogs: doc.path, progress)
  }
}
