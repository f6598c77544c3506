import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

@Suite struct ReplicaSendingTests {
  @Test(.heavy)
  func `an operation too large for any message becomes a conflict; later operations are sent`()
    throws
  {
    let town = Town()
    let branch = try town.branch()
    try branch.sync()
    try branch.edit(
      "INSERT INTO book(id, title) VALUES ('b1', zeroblob(\(13 << 20)))",
      "INSERT INTO book(id, title) VALUES ('b2', 'Emma')")

    try branch.sync()

    #expect(try branch.conflicts == ["rejected"])
    #expect(try branch.value("SELECT length(body) > 13000000 FROM sync_conflict") == 1)
    #expect(try branch.shown == ["b2:Emma:-:-:0:-:-"])
    try expectConverged(branch)
  }

  @Test func `an operation that exceeds the packet size is sent in a packet of its own`() throws {
    let town = Town()
    let branch = try town.branch()
    try branch.sync()
    try branch.edit(
      "INSERT INTO book(id) VALUES ('b1')",
      "INSERT INTO book(id, title) VALUES ('b2', zeroblob(2000))",
      "INSERT INTO book(id) VALUES ('b3')")
    try branch.seal()

    let packets = try branch.replica.packets(operations: 10, bytes: 1000)

    #expect(packets.map { $0.operations.map(\.sequence) } == [[1], [2], [3]])
  }

  @Test(arguments: ["hidden", "absorbed"], ["{}", "[1]"])
  func `creating sync packets throws if a queued operation contains JSON of the wrong form`(
    column: String, list: String
  ) throws {
    let branch = try Town().branch()
    try branch.sync()
    try branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try branch.seal()
    try branch.edit("UPDATE sync_to_sync SET \(identifier: column) = \(list)")

    let error = #expect(throws: StorageError.self) {
      try branch.replica.packets(operations: 10, bytes: 1000)
    }

    #expect(error?.code == .decodingFailed)
    #expect(error?.failure.contains("cannot decode the queued operation") == true)
    #expect(error?.suggestion == "restore the database from a backup")
  }

  @Test func `an inserted row whose key is too long for an identifier becomes a conflict`() throws {
    let branch = try Town().branch()
    try branch.sync()
    try branch.edit(
      "INSERT INTO book(id, title) VALUES (printf('%2000c', 'x'), 'Dune')",
      "INSERT INTO book(id, title) VALUES ('b2', 'Emma')")

    try branch.sync()

    #expect(try branch.shown == ["b2:Emma:-:-:0:-:-"])
    #expect(try branch.conflicts == ["rejected"])
    try expectConverged(branch)
  }

  @Test func `sync packets contain consecutive parts of the replica's operation chain`() throws {
    let branch = try Town().branch()
    try branch.sync()
    for book in ["b1", "b2", "b3"] { try branch.edit("INSERT INTO book(id) VALUES (\(book))") }
    #expect(try branch.replica.seal(limit: 2) == 2)
    #expect(try branch.replica.seal(limit: 2) == 1)

    let packets = try branch.replica.packets(operations: 2, bytes: 1 << 20)

    #expect(packets.map { $0.operations.count } == [2, 1])
    #expect(packets.first?.chainBefore == OperationChain())
    #expect(packets.last?.chainBefore == packets.first?.chainAfter)
    #expect(try packets.last?.chainAfter == branch.replica.state().chain)
  }

  @Test
  func `a replica sends nothing before it has received the identifier of the server's history`()
    throws
  {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id) VALUES ('b1')")
    try branch.seal()

    #expect(try branch.sent == [])
  }

  @Test func `a replica returns no more sync packets than the server accepts at once`() throws {
    var limits = SyncLimits()
    limits.window = 2
    let branch = try Town().branch(limits: limits)
    try branch.sync()
    for number in 1...9 { try branch.edit("INSERT INTO book(id) VALUES (\("b\(number)"))") }
    try branch.seal()

    let packets = try branch.replica.packets(operations: 2, bytes: 1 << 20)

    #expect(packets.map { $0.operations.map(\.sequence) } == [[1, 2], [3, 4]])
  }

  @Test func `a replica sends an atomic group larger than the operation limit in one packet`()
    throws
  {
    let branch = try Town().branch()
    try branch.sync()
    try branch.edit(
      "INSERT INTO book(id) VALUES ('b1')", "UPDATE sync_clock SET group_id = 'g1'",
      "INSERT INTO book(id) VALUES ('b2')", "INSERT INTO book(id) VALUES ('b3')",
      "UPDATE book SET title = 'Dune' WHERE id = 'b1'",
      "UPDATE sync_clock SET group_id = NULL", "INSERT INTO book(id) VALUES ('b4')")

    #expect(try branch.replica.seal(limit: 2) == 4)
    try branch.seal()

    let packets = try branch.replica.packets(operations: 2, bytes: 1 << 20)
    #expect(packets.map { $0.operations.map(\.group) } == [[nil], ["g1", "g1", "g1"], [nil]])
    try branch.sync()
    try expectConverged(branch)
  }

  @Test func `a replica that only sends retains its rows and removes acknowledged operations`()
    throws
  {
    let town = Town()
    let branch = try town.branch(direction: .oneWay)
    // The server refuses the first request, and names its history.
    try branch.pullPage()
    try branch.edit("INSERT INTO book(id, title, copies) VALUES ('b1', 'Dune', 5)")
    try branch.seal()
    try branch.push()
    #expect(try branch.replica.queue().isEmpty)

    try branch.edit("UPDATE book SET copies = copies + 1")
    try branch.seal()
    try branch.edit("UPDATE book SET copies = copies + 1, title = 'Emma'")
    try branch.push()
    #expect(try branch.copies() == 7)
    try branch.seal()
    try branch.push()

    #expect(try branch.title() == "Emma")
    try expectConverged(branch)
    let reader = try town.branch()
    try reader.sync()
    #expect(try reader.shown == branch.shown)
  }
}
