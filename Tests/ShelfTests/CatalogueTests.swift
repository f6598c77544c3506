import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft

/// Tests of the catalogue, with an in-memory backend for every data kind.
@Suite struct CatalogueTests {
  @Test
  func `an import stores package rows in SQLite and all other data in the configured backends`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      let report = try library.run()
      #expect(report.packageCount == 2)
      #expect(report.changes == "2 packages added, 1 changelog copied")
      #expect(report.lines.count == 8)

      let rows = report.lines.filter { [.record, .annotation].contains($0.kind) }
      #expect(rows.allSatisfy { $0.backend == "sqlite" })
      #expect(report.lines.filter { $0.backend == "memory" }.count == 6)

      let storage = library.storage
      #expect(
        try storage.load(.dependencyGraph)?.value.needs["dune"] == [
          "author", "binding", "ink", "paper", "toner",
        ])
      #expect(try storage.load(.sectionCounts)?.value == ["novels": 1, "": 1])
      #expect(try storage.load(.accountToken)?.count == 44)
      #expect(try Catalogue(storage).savedTitles == ["compilers", "libraries"])
      #expect(storage[.lastImport]?.packages == 2)

      let text = try storage.withReader(for: .changelog("dune/changelog.gz")) {
        try $0?.read(upTo: 100)
      }
      #expect(text == Data("First edition".utf8))
    }
  }

  @Test func `a second import of the same input reports no change and preserves the account token`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let token = try library.storage.load(.accountToken)

      #expect(try library.run().changes == "nothing changed")
      #expect(try library.storage.load(.accountToken) == token)
    }
  }

  @Test
  func `an import reports packages and changelogs added, changed or removed since the last import`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let text = ControlReaderTests.sound.replacingOccurrences(of: "desert", with: "sand")
        .replacingOccurrences(of: "emma", with: "solaris")
      try Data(text.utf8).write(to: library.status)
      try library.changelog("dune", "Second edition")
      try library.changelog("solaris", "First edition")
      #expect(
        try library.run().changes
          == "1 package added, 1 package changed, 1 package removed, 2 changelogs copied")

      try FileManager.default.removeItem(at: directory.appending(path: "doc/dune"))
      #expect(try library.run().changes == "1 changelog removed")
      #expect(try library.storage.names(of: .blob) == ["solaris/changelog.gz"])
    }
  }

  @Test func `an import counts a package twice if the package list contains the package twice`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      let twice = ControlReaderTests.sound + "\n" + ControlReaderTests.sound
      try Data(twice.utf8).write(to: library.status)

      #expect(try library.run().packageCount == 4)
      #expect(try library.run().changes == "nothing changed")
    }
  }

  @Test(arguments: ["", "\n\n", "rubbish", ControlReaderTests.sound + "\nrubbish\n"])
  func `importing damaged input throws and changes nothing`(text: String) throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      try Data(text.utf8).write(to: library.status)
      #expect(throws: InputError.self) { try library.run() }
      try Data(ControlReaderTests.sound.utf8).write(to: library.status)
      #expect(try library.run().changes == "nothing changed")
    }
  }

  @Test func `a cancelled import leaves the stored packages unchanged`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      try Data("Package: other\n".utf8).write(to: library.status)
      let progress = ImportProgress()
      progress.cancel()
      #expect(throws: CancellationError.self) { try library.run(progress) }

      let catalogue = try Catalogue(library.storage)
      #expect(try catalogue.packages(named: "dune").count == 1)
    }
  }

  @Test func `an upgraded package is reported as one change with the old and the new version`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      #expect(try library.run().examples == [])

      try library.write(
        ControlReaderTests.sound.replacingOccurrences(of: "1.0-2", with: "1.0-3"))
      let report = try library.run()
      #expect(report.changes == "1 package changed")
      #expect(report.examples == ["~ dune 1.0-2 → 1.0-3"])

      try library.write("Package: emma\nVersion: 3\nArchitecture: amd64\n")
      #expect(try library.run().examples == ["- dune 1.0-3"])
    }
  }

  @Test func `an import report lists at most ten changes and the number of further changes`() throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let more = (1...12).map { "\nPackage: volume-\($0)\nVersion: 1\n" }.joined()
      try library.write(ControlReaderTests.sound + more)
      let report = try library.run()

      #expect(report.changes == "12 packages added")
      #expect(report.examples.count == 11)
      #expect(report.examples.last == "… and 2 more")
    }
  }

  @Test func `an import stores two versions of one package as two packages`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      try library.write("Package: dune\nVersion: 1\n\nPackage: dune\nVersion: 2\n")
      #expect(try library.run().packageCount == 2)
      let versions = try Catalogue(library.storage).packages(named: "dune").map(\.version)
      #expect(versions == ["1", "2"])
    }
  }

  @Test
  func `an import recreates missing cached values, dependency graphs and changelogs`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      try library.storage.removeAll(of: .cache)
      try library.storage.removeAll(of: .archive)
      try library.storage.removeAll(of: .blob)

      #expect(try library.run().changes == "1 changelog copied")
      #expect(try library.storage.load(.sectionCounts)?.value.count == 2)
      #expect(try library.storage.load(.dependencyGraph)?.value.dependencyCount == 5)
    }
  }

  @Test func `an import replaces a cached value that was stored with another type`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      let old = StorageKey<[String]?>("section-counts", kind: .cache)
      try library.storage.save(["novels"], for: old)
      _ = try library.run()

      #expect(try library.storage.load(.sectionCounts)?.value.count == 2)
    }
  }

  @Test func `an import removes a stored changelog whose file no longer exists`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      try library.storage.save(Data("cut off".utf8), for: .changelog("emma/changelog.gz"))

      #expect(try library.run().changes.contains("1 changelog removed"))
      #expect(try library.storage.names(of: .blob) == ["dune/changelog.gz"])
    }
  }

  @Test func `an import whose changelog directory cannot be listed preserves the changelogs`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()

      #expect(throws: InputError.self) {
        try Catalogue(library.storage).importPackages(
          from: library.status.path, changelogs: "/nonexistent", ImportProgress())
      }
      #expect(try library.storage.names(of: .blob) == ["dune/changelog.gz"])
    }
  }

  @Test func `a search returns matches, is added to the history and can be saved`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let catalogue = try Catalogue(library.storage)
      let found = { (text: String, section: String?) in
        try catalogue.search(SavedSearch(text: text, section: section)).lines.map(\.name)
      }
      #expect(try found("PLANET", nil) == ["dune"])
      #expect(catalogue.lastQuery == "PLANET")
      #expect(try found("planet", "poems") == [])
      #expect(try found("pl%t", nil) == [])
      #expect(try found("d_ne", nil) == [])

      try catalogue.show(atMost: 1)
      let all = try catalogue.search(SavedSearch(text: "", section: nil))
      #expect(all.lines.count == 1)
      #expect(all.total == 2)

      let mine = SavedSearch(text: "emma", section: nil)
      try catalogue.save(mine, as: "mine")
      #expect(try catalogue.savedSearch("mine") == mine)
      #expect(throws: NotFound.self) { try catalogue.savedSearch("yours") }
    }
  }

  @Test
  func `a search ranks its results, and a package whose name equals the search text comes first`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      try library.write(
        """
        Package: swift-tools
        Version: 1
        Description: for the language swift

        Package: bird-guide
        Version: 1
        Description: of the swift, the swallow and 燕子的图书馆

        Package: swift
        Version: 6
        Description: a language

        """)
      _ = try library.run()
      let catalogue = try Catalogue(library.storage)
      let found = { (text: String) in
        try catalogue.search(SavedSearch(text: text, section: nil)).lines.map(\.name)
      }
      #expect(try found("swift") == ["swift", "swift-tools", "bird-guide"])
      #expect(try found("langu") == ["swift", "swift-tools"])
      #expect(try found("图书") == ["bird-guide"])
      #expect(try found("书图") == [])
      #expect(try found("\" OR NEAR( *") == [])
    }
  }

  @Test func `the search history lists each query once, with the latest query first`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let catalogue = try Catalogue(library.storage)
      for text in ["planet", "emma", "planet"] {
        _ = try catalogue.search(SavedSearch(text: text, section: nil))
      }
      let history = try catalogue.history(atMost: 10)

      #expect(history.map(\.text) == ["planet", "emma"])
      #expect(history.map(\.found) == [1, 1])
    }
  }

  @Test func `a note on a package is preserved by later imports`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let catalogue = try Catalogue(library.storage)
      try catalogue.note("read again", on: "dune")
      #expect(throws: NotFound.self) { try catalogue.note("lost", on: "solaris") }
      #expect(throws: InputError.emptyNote) { try catalogue.note(" \n", on: "dune") }

      try library.write(
        ControlReaderTests.sound.replacingOccurrences(of: "1.0-2", with: "1.0-3"))
      _ = try library.run()
      #expect(try catalogue.packages(named: "dune").first?.notes == ["read again"])
    }
  }

  @Test func `a package is shown with its dependencies and its dependents`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      try library.write(ControlReaderTests.sound + "Depends: dune | ink\n")
      _ = try library.run()
      let catalogue = try Catalogue(library.storage)
      let dune = try #require(try catalogue.packages(named: "dune").first)

      #expect(dune.needs == ["author", "paper (>= 2.0)", "ink | toner", "binding (= 1)"])
      #expect(dune.neededBy == ["emma"])
      #expect(dune.changelogs == ["dune/changelog.gz"])
      #expect(try catalogue.closure(of: "emma").contains("paper"))
      #expect(throws: NotFound.self) { try catalogue.packages(named: "solaris") }
      #expect(throws: NotFound.self) { try catalogue.closure(of: "solaris") }
    }
  }
}
