import Foundation
import Logging
import Observation
import Testing
import Undercroft

/// Tests that the public names of the umbrella module are unambiguous beside the names of other
/// frameworks.
@Suite struct CommonNamesTests {
  @Test
  func `names of the umbrella module do not clash with names of other frameworks, except Table`()
    throws
  {
    let source = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "CommonNames/CommonNames.swift"),
      encoding: .utf8)
    let declared = Set(source.matches(of: /public enum (\w+)/).map { String($0.1) })
    let used = Set(typesOfOtherFrameworks.map { "\($0)" })

    #expect(declared.count > 300)
    #expect(declared.subtracting(used) == ["Table"])
    #expect(used.subtracting(declared) == [])
    #expect(
      sharedNames.map { String(reflecting: $0) } == [
        "CommonNames.Table", "UndercroftRelational.Table<Swift.Int>",
      ])
  }

  @Test
  func `a record type can declare its table in a file that imports another type named Table`()
    throws
  {
    let database = try Database.inMemory()

    let shelf = try database.write { db in try Shelf(name: "Novels").insertAndFetch(in: db) }

    #expect(shelf.id == 1)
    #expect(shelf.name == "Novels")
  }

  /// The list compiles only if no name is ambiguous beside Foundation, Logging, Observation and
  /// Swift Testing.
  @Test
  func `common type names of the umbrella module do not clash with Foundation, Logging or Testing`()
  {
    let types: [Any.Type] = [
      BackendChoice.self, Capabilities.self, Column<Int, Int>.self, Columns<Int>.self,
      Connection.self, Database.self, Durability.self, EncryptionKey.self, JSONCodec.self,
      Migrator.self, PageCursor.self, Projection<Int>.self, QueryCommand.self,
      RecordPage<Int>.self, Registration.self, SQL.self, SchemaColumn.self, SchemaObject.self,
      Storage.self, StorageChange.self, StorageError.self, StorageKey<Int>.self,
      StorageWrite.self, Table<Int>.self, TableQuery<Int>.self, (any Codec).self,
      (any DataCenter).self, (any VirtualRecord).self,
    ]

    #expect(types.count == 28)
    #expect(Set(types.map { ObjectIdentifier($0) }).count == types.count)
  }
}
