import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft
import UndercroftGDBM

/// Where the catalogue is, and the one place where its backends are chosen.
struct ShelfHome: ParsableArguments {
  @Option(help: "The directory of the catalogue.", completion: .directory)
  var home: String?

  @Flag(help: "Keep everything in memory and nothing on the disk.")
  var inMemory = false

  /// The default routes of a home, with preferences in a GDBM file; in memory the same choices are made and nothing is written.
  func storage() throws -> Storage {
    let directories =
      try home.map { StorageDirectories(home: URL(filePath: $0)) }
      ?? StorageDirectories(application: "shelf")
    var storage = inMemory ? try .inMemory() : try Storage(directories, application: "shelf")
    try storage.use(
      .gdbm(at: directories.data.appending(path: "preferences.gdbm")), for: .preference)
    try storage.use(.sqlite(at: directories.data.appending(path: "own.sqlite")), for: .annotation)
    return storage
  }

  /// Opens what an import has made; nothing is made for a question.
  func catalogue() throws -> Catalogue {
    if inMemory {
      throw NotFound("a catalogue in memory is empty at first; ask without --in-memory")
    }
    let path = try path()
    guard FileManager.default.fileExists(atPath: path) else {
      throw NotFound("there is no catalogue in \(path); run shelf import first")
    }
    let catalogue = try Catalogue(try storage())
    try catalogue.checkForPackages()
    return catalogue
  }

  /// The path to show to whoever wants to look inside.
  func path() throws -> String {
    try home ?? StorageDirectories(application: "shelf").data.path(percentEncoded: false)
  }
}
