import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of operations that a gateway between a branch and the server always refuses.
///
/// The replica sets them aside as conflicts.
@Suite struct ReplicaParkingTests {
  /// Returns a branch with the unsent insertion of a book, and an atomic group of two insertions.
  private func branchWithGroup() throws -> Branch {
    let branch = try Town().branch()
    try branch.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try branch.edit(
      "UPDATE sync_clock SET group_id = 'g'",
      "INSERT INTO book(id, title) VALUES ('b2', 'Emma'), ('b3', 'Ubik')",
      "UPDATE sync_clock SET group_id = NULL")
    return branch
  }

  @Test
  func `if an operation of an atomic group is refused, the replica stores the group as conflicts`()
    throws
  {
    let branch = try branchWithGroup()
    try branch.pull()
    try branch.seal()
    let last = try #require(try branch.sent.last)

    try branch.replica.park(last.operationIdentifier, message: "too large")

    #expect(try branch.conflicts == ["rejected", "rejected"])
    #expect(try branch.books == ["b1"])
    try branch.sync()
    #expect(try branch.replica.queue().isEmpty)
  }

  @Test(.heavy, arguments: [false, true])
  func `the author's conflict about a row that is too large for the server contains the values`(
    pullsFirst: Bool
  ) async throws {
    let reader = try Reader(in: Town())
    let text = String(repeating: "x", count: SyncLimits.rowBytes + SyncLimits.rowBytes / 2)
    try reader.branch.edit("INSERT INTO book(id, title, copies) VALUES ('b1', \(text), 3)")
    if pullsFirst {
      reader.courier.set(.losesAnswer, for: .push)
      await #expect(throws: StorageError.self) { try await reader.engine.sync() }
      reader.courier.set(nil, for: .push)
      try reader.branch.pull()
    }

    for _ in 0..<2 { try await reader.engine.sync() }

    guard case .lost(let conflict)? = try reader.engine.conflicts().first else {
      Issue.record("there is no conflict")
      return
    }
    #expect(conflict.kind == .rejected)
    #expect(conflict.values["title"]?.value == .text(text))
    #expect(conflict.message?.contains("bytes") == true)
    #expect(try reader.branch.books == [])
  }

  @Test
  func `if a peer refuses an atomic group, the engine stores conflicts and sends other changes`()
    async throws
  {
    let branch = try branchWithGroup()
    let peer = NarrowPeer(to: branch.town.server.peer(account: Town.account), operations: 1)
    let engine = try SyncEngine(
      branch.database, scope: Town.scope, account: Town.account, tables: Branch.tables, peer: peer,
      environment: branch.town.clock.environment)

    try await engine.sync()

    #expect(try branch.conflicts == ["rejected", "rejected"])
    #expect(engine.currentStatus.pending == 0)
    #expect(engine.currentStatus.conflicts == 2)
    #expect(try branch.books == ["b1"])
    guard case .lost(let conflict)? = try engine.conflicts().first else {
      Issue.record("there is no conflict")
      return
    }
    #expect(conflict.message == "cannot forward the packet: it has 2 operations")
  }
}

/// A peer that refuses packets with more than `operations` operations, as a gateway can.
private struct NarrowPeer: SyncPeer {
  let server: any SyncPeer
  let operations: Int

  init(to server: any SyncPeer, operations: Int) {
    self.server = server
    self.operations = operations
  }

  func send(_ request: SyncRequest) async throws -> Data {
    if request.endpoint == .push {
      let packet = try SyncPacket(decoding: request.body)
      guard packet.operations.count <= operations else {
        throw StorageError(
          .tooLarge,
          "cannot forward the packet: it has \(packet.operations.count) operations",
          suggestion: "send smaller packets")
      }
    }
    return try await server.send(request)
  }

  func pokes(for scopes: [ScopeIdentifier]) -> AsyncStream<SyncPoke> { server.pokes(for: scopes) }
}
