import Foundation
import ShelfCatalogue
import Testing
import Undercroft

/// The demo's own code, on memory backends for every kind.
@Suite struct CatalogueTests {
  private struct Library {
    let directory: URL
    let storage: Storage
    var status: URL { directory.appending(path: "status") }

    init(_ directory: URL) throws {
      self.directory = directory
      storage = try .inMemory()
      try Data(ControlReaderTests.sound.utf8).write(to: status)
      try changelog("dune", "First edition")
    }

    func changelog(_ name: String, _ text: String) throws {
      let folder = directory.appending(path: "doc/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: folder.appending(path: "changelog.gz"))
    }

    func run(_ progress: ImportProgress = ImportProgress()) throws -> ImportReport {
      try Catalogue(storage).importPackages(
        from: status.path, changelogs: directory.appending(path: "doc").path, progress)
    }
  }

  @Test func `every kind of data finds its place`() throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      let report = try library.run()
      #expect(report.packageCount == 2)
      #expect(report.changes == "2 packages added, 1 changelogs copied")
      #expect(report.lines.count == 7)
      #expect(report.lines.filter { $0.kind != .record }.allSatisfy { $0.backend == "memory" })
      let storage = library.storage
      #expect(
        try storage.load(.dependencyGraph)?.needs["dune"] == [
          "author", "binding", "ink", "paper", "toner",
        ])
      #expect(try storage.load(.sectionCounts) == ["novels": 1, "": 1])
      #expect(try storage.load(.accountToken)?.count == 44)
      #expect(try storage.keys(of: .document) == ["compilers", "libraries"])
      #expect(storage[.lastImport]?.packages == 2)
      let text = try storage.reader(for: .changelog("dune/changelog.gz")) {
        try $0?.read(upTo: 100)
      }
      #expect(text == Data("First edition".utf8))
    }
  }

  @Test func `a second run says that nothing changed and keeps the token`() throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      _ = try library.run()
      let token = try library.storage.load(.accountToken)
      #expect(try library.run().changes == "nothing changed")
      #expect(try library.storage.load(.accountToken) == token)
    }
  }

  @Test func `a run after changes says what they are`() throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      _ = try library.run()
      let text = ControlReaderTests.sound.replacingOccurrences(of: "desert", with: "sand")
        .replacingOccurrences(of: "emma", with: "solaris")
      try Data(text.utf8).write(to: library.status)
      try library.changelog("dune", "Second edition")
      try library.changelog("solaris", "First edition")
      #expect(
        try library.run().changes
          == "1 packages added, 1 packages changed, 1 packages removed, 2 changelogs copied")
      try FileManager.default.removeItem(at: directory.appending(path: "doc/dune"))
      #expect(try library.run().changes == "1 changelogs removed")
      #expect(try library.storage.keys(of: .blob) == ["solaris/changelog.gz"])
    }
  }

  @Test func `one package listed twice is counted twice`() throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      let twice = ControlReaderTests.sound + "\n" + ControlReaderTests.sound
      try Data(twice.utf8).write(to: library.status)
      #expect(try library.run().packageCount == 4)
      #expect(try library.run().changes == "nothing changed")
    }
  }

  @Test(arguments: ["", "\n\n", "rubbish", ControlReaderTests.sound + "\nrubbish\n"])
  func `damaged input changes nothing`(text: String) throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      _ = try library.run()
      try Data(text.utf8).write(to: library.status)
      #expect(throws: InputError.self) { try library.run() }
      try Data(ControlReaderTests.sound.utf8).write(to: library.status)
      #expect(try library.run().changes == "nothing changed")
    }
  }

  @Test func `an interrupted run keeps the old rows whole`() throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      _ = try library.run()
      try Data("Package: other\n".utf8).write(to: library.status)
      let progress = ImportProgress()
      progress.cancel()
      #expect(throws: CancellationError.self) { try library.run(progress) }
      let catalogue = try Catalogue(library.storage)
      #expect(try catalogue.search("dune").map(\.name) == ["dune"])
    }
  }

  @Test func `searches are found, kept and remembered`() throws {
    try withTemporaryDirectory { directory in
      let library = try Library(directory)
      _ = try library.run()
      let catalogue = try Catalogue(library.storage)
      #expect(try catalogue.search("planet").map(\.name) == ["dune"])
      #expect(try catalogue.search("planet", section: "poems") == [])
      #expect(library.storage[.lastQuery] == "planet")
      try library.storage.save(DisplayOptions(limit: 1), for: .display)
      #expect(try catalogue.search("").count == 1)
      try catalogue.save(SavedSearch(text: "emma", section: nil), as: "mine")
      #expect(try catalogue.savedSearch("mine")?.text == "emma")
      #expect(try catalogue.closure(of: "dune").contains("paper"))
    }
  }
}
