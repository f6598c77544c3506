import Testing
import UndercroftCore
import UndercroftSync

@Suite struct HeldPacketsTests {
  private let clock = TestClock()

  private func server(holding limit: Int = 100) -> SyncServer {
    var limits = SyncLimits()
    limits.heldPackets = limit
    return SyncServer(store: InMemorySyncStore(), limits: limits, environment: clock.environment)
  }

  /// Returns `count` packets of a device, each of which inserts one row.
  private func packets(_ count: Int, of device: inout Device) -> [SyncPacket] {
    (1...count).map { number in
      device.seal(.insert(.title("\(number)")), on: DataIdentifier("b\(number)"))
    }
  }

  @Test
  func `the server holds a sync packet until all earlier packets of the replica have arrived`()
    throws
  {
    var ann = try Device("ann", on: server())
    let packets = packets(3, of: &ann)

    let third = try ann.push(packets[2])
    let second = try ann.push(packets[1])
    let first = try ann.push(packets[0])

    #expect(third == .held(expectedSequence: 1, expectedDependency: nil))
    #expect(second == .held(expectedSequence: 1, expectedDependency: nil))
    #expect(first.results?.results.map(\.sequence) == [1, 2, 3])
    #expect(first.results?.lastSequence == 3)
    #expect(first.results?.lastChain == ann.chain.hash)
    #expect(first.results?.head == 3)
    #expect(try ann.rows.count == 3)
  }

  @Test func `the answer to a held sync packet states the next operation that the server expects`()
    throws
  {
    var ann = try Device("ann", on: server())
    let packets = packets(3, of: &ann)
    _ = try ann.push(packets[0])

    #expect(
      try ann.push(packets[2]) == .held(expectedSequence: 2, expectedDependency: "ann-1"))
    #expect(try ann.rows.count == 1)
  }

  @Test func `the server holds no more sync packets of a replica than the limit`() throws {
    var ann = try Device("ann", on: server(holding: 1))
    let packets = packets(3, of: &ann)
    _ = try ann.push(packets[1])
    _ = try ann.push(packets[2])

    let answer = try ann.push(packets[0])

    #expect(answer.results?.lastSequence == 2)
    #expect(try ann.push(packets[2]).results?.lastSequence == 3)
  }

  @Test func `the server limits held sync packets for each replica separately`() throws {
    let server = server(holding: 1)
    var (ann, bob) = (try Device("ann", on: server), try Device("bob", on: server))
    let (anns, bobs) = (packets(2, of: &ann), packets(2, of: &bob))
    _ = try ann.push(anns[1])
    _ = try bob.push(bobs[1])

    #expect(try ann.push(anns[0]).results?.lastSequence == 2)
    #expect(try bob.push(bobs[0]).results?.lastSequence == 2)
  }

  @Test func `the server holds only one copy of a sync packet that arrives twice`() throws {
    var ann = try Device("ann", on: server(holding: 2))
    let packets = packets(3, of: &ann)
    for packet in [packets[1], packets[1], packets[2]] { _ = try ann.push(packet) }

    #expect(try ann.push(packets[0]).results?.lastSequence == 3)
  }

  @Test func `the server drops a held sync packet after ten minutes`() throws {
    var ann = try Device("ann", on: server())
    let packets = packets(2, of: &ann)
    _ = try ann.push(packets[1])
    clock.advance(minutes: 11)

    #expect(try ann.push(packets[0]).results?.lastSequence == 1)
  }

  @Test func `sync packets held by the server are lost when the server process ends`() throws {
    let server = server()
    var ann = try Device("ann", on: server)
    let packets = packets(2, of: &ann)
    _ = try ann.push(packets[1])
    server.dropHeldPackets()

    #expect(try ann.push(packets[0]).results?.lastSequence == 1)
    #expect(try ann.push(packets[1]).results?.lastSequence == 2)
  }

  @Test func `the server drops held sync packets when a new server history begins`() throws {
    let server = server()
    var ann = try Device("ann", on: server)
    let old = packets(2, of: &ann)
    _ = try ann.push(old[1])
    try server.restoreEpoch(of: Device.scope)
    var again = try Device("ann", on: server)
    let first = packets(1, of: &again)[0]

    #expect(try again.push(first).results?.lastSequence == 1)
  }

  @Test
  func `a held packet from a copy of a database file does not affect packets of the original file`()
    throws
  {
    let server = server()
    var (ann, copy) = (try Device("ann", on: server), try Device("ann", on: server))
    let first = packets(1, of: &ann)[0]
    _ = copy.seal(.insert(.title("copy")), on: "c1", "copy-1")
    let second = copy.seal(.insert(.title("copy")), on: "c2", "copy-2")
    _ = try copy.push(second)

    let answer = try ann.push(first)

    #expect(answer.results?.lastSequence == 1)
    #expect(try copy.push(second) == .refused(.forked))
    #expect(try Set(ann.rows.keys) == ["b1"])
  }
}
