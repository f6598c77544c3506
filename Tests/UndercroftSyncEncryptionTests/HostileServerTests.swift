import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync
import UndercroftSyncEncryption

/// Tests that a device does not apply values that a hostile server moved, forged or exchanged.
@Suite struct HostileServerTests {
  private let town: EncryptedTown

  init() throws { town = try EncryptedTown() }

  @Test(arguments: ["title", "note"])
  func `an encrypted value that the server moves to another column is not applied`(column: String)
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    let source = ExactString(column == "title" ? "note" : "title")
    south.peer.changeRows { row in
      let value = row.fields?[source]
      row.fields?[ExactString(column)] = value
    }
    try north.edit("INSERT INTO book(id, title, note) VALUES ('b1', 'Emma', 'torn')")

    try await synchronise(north, south)

    #expect(try south.titles == [])
    #expect(try south.waiting.count == 1)
  }

  @Test func `an encrypted row to which the server gives another identifier is not applied`()
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    south.peer.changeRows { row in row.dataIdentifier = "b2" }
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")

    try await synchronise(north, south)

    #expect(try south.titles == [])
    #expect(try south.waiting.count == 1)
  }

  @Test
  func `an encrypted row that the server moves to another sync scope is not applied`() async throws
  {
    let north = try town.branch()
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north)
    let spy = try town.branch()
    let stolen = EventCollector<FieldValues>()
    spy.peer.changeRows { row in row.fields.map { stolen.append($0) } }
    try await synchronise(spy)
    let fields = try #require(stolen.drain().first)
    let (east, west) = (
      try EncryptedBranch(on: town.server, town.encryption, scope: "village"),
      try EncryptedBranch(on: town.server, town.encryption, scope: "village")
    )
    west.peer.changeRows { row in row.fields = fields }
    try east.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")

    try await synchronise(east, west)

    #expect(try west.titles == [])
    #expect(try west.waiting.count == 1)
  }

  @Test func `a value that the server forges is not applied`() async throws {
    let north = try town.branch()
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north)
    let forgeries: [SyncValue] = [
      .text("forged"), .null, .encrypted(EncryptedValue(keyNumber: 1, bytes: Data())),
      .encrypted(EncryptedValue(keyNumber: 1, bytes: Data(count: 28))),
      .encrypted(EncryptedValue(keyNumber: .max, bytes: Data(count: 1000))),
    ]

    for forgery in forgeries {
      let south = try town.branch()
      south.peer.changeRows { row in row.fields?["title"] = forgery }
      try await synchronise(south)
      #expect(try south.titles == [], "\(forgery)")
      #expect(try south.waiting.count == 1, "\(forgery)")
    }
  }

  @Test(arguments: [("author", "reference"), ("copies", "counter")] as [(ExactString, String)])
  func `a pulled row with an encrypted reference column or counter column is not applied`(
    column: ExactString, role: String
  ) async throws {
    let (north, south) = (try town.branch(), try town.branch())
    south.peer.changeRows { row in
      let value = row.fields?["title"]
      row.fields?[column] = value
    }
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")

    try await synchronise(north, south)

    #expect(try south.titles == [])
    #expect(
      try south.waiting == [
        """
        the value of the \(role) column "\(column.text)" is encrypted, but a \(role) column must \
        not be encrypted
        """
      ])
  }

  @Test func `a valid version of a row is applied after a forged version was refused`() async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    south.peer.changeRows { row in row.fields?["title"] = .text("forged") }
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north, south)
    south.peer.changeRows { _ in }

    try north.edit("UPDATE book SET title = 'Dune'")
    try await synchronise(north, south)

    #expect(try south.titles == ["Dune"])
    #expect(try south.waiting == [])
  }

  @Test func `an encrypted value is not applied if its decrypted bytes encode no value`()
    async throws
  {
    let (north, south) = (try town.branch(), try town.branch())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Emma')")
    try await synchronise(north)
    let place = SyncValuePlace(
      scope: EncryptedBranch.scope, table: "book", dataIdentifier: "b1", column: "title")
    let twice = try town.encryption.encrypt(Data(#"{"$e":"k1.AAAA"}"#.utf8), at: place)
    for bytes in [Data(), Data("]".utf8), Data([0xFF]), Data(#"{"$x":"1"}"#.utf8)] {
      let value = try town.encryption.encrypt(bytes, at: place)
      let copy = try town.branch()
      copy.peer.changeRows { row in row.fields?["title"] = .encrypted(value) }
      try await synchronise(copy)
      #expect(try copy.waiting.count == 1)
    }
    south.peer.changeRows { row in row.fields?["title"] = .encrypted(twice) }

    try await synchronise(south)

    #expect(try south.titles == [])
    #expect(try south.waiting.count == 1)
  }
}
