import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft
import UndercroftMigration
import UndercroftMigrationTesting
import UndercroftSQLite

/// Tests of the schemas of all versions, which are frozen in `Sources/Shelf/Schemas`.
@Suite struct ShelfSchemaTests {
  private static func folder(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Shelf/Schemas/\(name)").standardizedFileURL
  }

  @Test func `package tables can be migrated between all versions in both directions`() throws {
    var test = MigrationTest(.packages, schemas: Self.folder("Packages"))
    test.fill = { db, version in
      guard version < "3" else { return }
      // A dependency without its package is invalid.
      for number in 0..<50 {
        let id = "book-\(number):all"
        try db.execute(
          "INSERT INTO package VALUES (\(id), \("book-\(number)"), '1', 'all', 'novels', \(number), 'A book', \(-number))"
        )
        try db.execute("INSERT INTO dependency VALUES (\(id), 0, 0, 'paper', '>= 1')")
        try db.execute("INSERT INTO dependency VALUES (\(id), 0, 1, 'vellum', '')")
      }
    }
    test.check = { db, origin, version in
      guard version >= "3" else { return }
      let found: Int = try db.fetchValue(
        "SELECT count(*) FROM software_search('book') AS words JOIN software ON number = words.rowid"
      )
      if origin < "3" { #expect(found == 50) }
      #expect(try db.fetchValue("SELECT count(*) FROM software", as: Int.self) > 0)
    }

    // Up, down, and up again.
    #expect(try test.verify().count == 30)
  }

  @Test func `note tables can be migrated from every version to every later version`() throws {
    try MigrationTest(.notes, schemas: Self.folder("Notes")).verify()
  }

  @Test func `an import creates the same table schema with and without a migrator`() throws {
    try withTemporaryDirectory { directory in
      for isMigrated in [true, false] {
        var storage = try Storage.inMemory()
        var options: [DatabaseOptions] = [.init(), .init()]
        if isMigrated {
          options = [.init(migrator: .packages), .init(migrator: .notes)]
        }
        try storage.use(.sqliteInMemory(options[0]), for: .record)
        try storage.use(.sqliteInMemory(options[1]), for: .annotation)
        let input = try CatalogueInput(directory)
        try input.write(OldHome.input)
        _ = try input.run(into: storage)
        let catalogue = try Catalogue(storage)
        try catalogue.note("lent to Ada", on: "dune")
        #expect(try catalogue.search(SavedSearch(text: "desert", section: nil)).total == 1)
        for (kind, migrator) in [(DataKind.record, Migrator.packages), (.annotation, .notes)] {
          let made = try storage.database(for: kind).read { db in try db.schema() }
          let golden = try Database.inMemory()
          try migrator.migrate(golden)
          let frozen = try golden.read { db in try db.schema() }
          // Compared exactly: an index or trigger that is written differently would be recreated.
          let own = "undercroft_migration"
          #expect(
            Set(made.compactMap(\.sql).filter { !$0.contains(own) })
              == Set(frozen.compactMap(\.sql).filter { !$0.contains(own) }))
        }
      }
    }
  }
}
