import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft
import UndercroftMigration
import UndercroftSQLite

/// Tests of homes that earlier commits created, which the current commit opens.
@Suite struct ShelfMigrationTests {
  /// The catalogue's answers to a set of questions.
  private struct Answers: Equatable {
    let cards: [String]
    let searches: [[PackageLine]]
    let closures: [[String]]

    init(_ storage: Storage) throws {
      let catalogue = try Catalogue(storage)
      try catalogue.checkForPackages()
      cards = try ["dune", "emma", "solaris"].flatMap { name in
        // Notes are not imported.
        try catalogue.packages(named: name).map { card in
          "\(card.name) \(card.version) \(card.architecture) \(card.section) \(card.installedSize) "
            + "\(card.summary) \(card.needs) \(card.neededBy) \(card.changelogs)"
        }
      }
      searches = try ["ocean", "match mak", "索拉", "dune"].map { text in
        try catalogue.search(SavedSearch(text: text, section: nil)).lines
      }
      closures = try ["dune", "emma", "solaris"].map { try catalogue.closure(of: $0) }
    }
  }

  @Test(arguments: OldHome.allCases)
  func `queries on a migrated data directory return the same results as after a new import`(
    home: OldHome
  ) throws {
    try withTemporaryDirectory { directory in
      let place = directory.appending(path: "home")
      try home.make(in: place)
      let storage = try OldHome.storage(place)
      let answers = try Answers(storage)

      let fresh = try CatalogueInput(directory)
      try fresh.write(OldHome.input)
      try FileManager.default.removeItem(at: fresh.doc)
      try FileManager.default.createDirectory(at: fresh.doc, withIntermediateDirectories: true)
      _ = try fresh.run()
      #expect(try Answers(fresh.storage) == answers)
      #expect(answers.searches[0].map(\.version).sorted() == ["1", "2"])
      #expect(answers.closures[1].contains("toner"))

      for kind in [DataKind.record, .annotation] {
        let migrator = kind == .record ? Migrator.packages : .notes
        let database = try storage.database(for: kind)
        let new = try Database.inMemory(DatabaseOptions(migrator: migrator))
        let schema = try new.read { db in try DatabaseSchema(of: db) }
        #expect(try database.read { db in try DatabaseSchema(of: db) } == schema)
        #expect(try migrator.version(of: database) == migrator.versions.last)
      }
    }
  }

  @Test(arguments: OldHome.allCases)
  func `an import after the migration reports only the changes since the last import`(
    home: OldHome
  ) throws {
    try withTemporaryDirectory { directory in
      let place = directory.appending(path: "home")
      try home.make(in: place)
      let input = try CatalogueInput(directory)
      try input.write(OldHome.input)
      try input.changelog("dune", "First edition\n")
      let file = input.doc.appending(path: "dune/changelog.gz")
      let date = Date(timeIntervalSince1970: 1_767_323_045)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
      let storage = try OldHome.storage(place)
      // The blobs of a home are beside its databases, and are not migrated.
      try storage.save(Data("First edition\n".utf8), for: .changelog("dune/changelog.gz"))
      #expect(try input.run(into: storage).changes == "1 changelog removed")

      try input.write(OldHome.input.replacingOccurrences(of: "Version: 3", with: "Version: 4"))
      #expect(try input.run(into: storage).changes == "1 package changed")
    }
  }

  @Test(arguments: [OldHome.declared, .both])
  func `a migration preserves the user's searches and notes`(home: OldHome) throws {
    try withTemporaryDirectory { directory in
      try home.make(in: directory)
      let catalogue = try Catalogue(try OldHome.storage(directory))

      #expect(
        try catalogue.history(atMost: 9).map { "\($0.text) in \($0.section): \($0.found)" }
          == ["ocean in tales: 2", "planet in : 1"])
      #expect(
        try catalogue.packages(named: "dune").first?.notes == ["lent to Ada", "it's \"back\""])
    }
  }

  @Test
  func `opening a catalogue of an unrecognizable version throws and leaves the file unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "records.sqlite")
      let other = try Database(at: file)
      try other.write { db in try db.execute("CREATE TABLE loan (id INTEGER PRIMARY KEY)") }
      try other.close()
      let before = try Data(contentsOf: file)
      let storage = try OldHome.storage(directory)
      let error = try #require(throws: StorageError.self) { try Catalogue(storage) }

      #expect(error.code == .unknownVersion)
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test(.heavy, arguments: [OldHome.first, .byName])
  func `a migration cancelled in any event handler call completes when the catalogue opens again`(
    home: OldHome
  ) throws {
    var (count, isEnded) = (0, true)
    while isEnded {
      try withTemporaryDirectory { directory in
        try home.make(in: directory)
        isEnded = false
        let stop = StoppingEvents(at: count)
        do {
          _ = try Catalogue(try OldHome.storage(directory) { _ in try stop.next() })
        } catch let error as StorageError {
          #expect(error.underlying is CancellationError)
          isEnded = true
        }
        let storage = try OldHome.storage(directory)
        let catalogue = try Catalogue(storage)
        #expect(try catalogue.packages(named: "solaris").count == 2)
        #expect(try catalogue.search(SavedSearch(text: "planet", section: nil)).total == 1)
      }
      count += 1
    }
    #expect(count >= 10)
  }
}
