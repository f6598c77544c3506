import Foundation
import Synchronization
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A server and its devices for hand-written histories, which determine when each message arrives.
///
/// Its initialiser can disable rules of the protocol.
final class DirectedLibrary: Sendable {
  static let scope: ScopeIdentifier = "library"
  static let account = "reader"

  let server: SyncServer
  let environment: SyncEnvironment
  private let time: Clock

  private final class Clock: Sendable {
    private let state = Mutex((now: Int64(1_700_000_000_000), identifiers: 0))

    var now: Int64 { state.withLock { $0.now } }

    func advance() { state.withLock { $0.now += 1_000 } }

    func makeIdentifier() -> String {
      state.withLock { state in
        state.identifiers += 1
        return "identifier \(state.identifiers)"
      }
    }
  }

  init(without mutations: Set<SyncMutation>) {
    let time = Clock()
    self.time = time
    environment = SyncEnvironment(
      now: { time.now }, makeIdentifier: { time.makeIdentifier() }, mutations: mutations)
    server = SyncServer(store: InMemorySyncStore(), environment: environment)
  }

  func advance() { time.advance() }

  var now: Int64 { time.now }

  func device() throws -> DirectedDevice {
    let database = try Database.inMemory()
    try database.write { db in
      try db.execute("CREATE TABLE book(id TEXT PRIMARY KEY NOT NULL, title TEXT, note TEXT)")
    }
    try SyncSchema.add(
      [SyncedTable("book")], toScope: Self.scope, account: Self.account, in: database,
      environment: environment)
    return DirectedDevice(self, database)
  }

  /// Synchronises the devices without faults, and returns a violated guarantee.
  ///
  /// All devices must have the rows of the server, and no title may be lost. Returns `nil` if both
  /// are the case.
  ///
  /// - Parameter titles: the titles that must be in a row or a conflict, because no user who had
  ///   seen them has replaced them.
  func violation(_ devices: [DirectedDevice], titles: [String] = []) throws -> String? {
    for _ in 0..<4 { for device in devices { try device.synchronise() } }
    let observer = try device()
    try observer.pull()
    let rows = try observer.rows()
    for (number, device) in devices.enumerated() {
      let shown = try device.rows()
      if shown != rows { return "device \(number) shows \(shown), and the server has \(rows)" }
    }
    let conflicts: [String] = try observer.database.fetchAll("SELECT body FROM sync_conflict") {
      row in try row[0]
    }
    let lost = titles.first { title in !(rows + conflicts).contains { $0.contains(title) } }
    return lost.map { "the title \($0) was lost without a conflict" }
  }
}

/// A device of a ``DirectedLibrary``, with a database in memory.
struct DirectedDevice {
  let library: DirectedLibrary
  let database: Database

  init(_ library: DirectedLibrary, _ database: Database) {
    self.library = library
    self.database = database
  }

  var replica: Replica {
    Replica(
      database: database, scope: DirectedLibrary.scope, environment: library.environment)
  }

  func rows() throws -> [String] {
    try database.fetchAll(
      "SELECT id || ' ' || coalesce(title, '-') || ' ' || coalesce(note, '-') FROM book ORDER BY id"
    ) { row in try row[0] }
  }

  /// Advances the clock by one second, and runs a statement as a user does.
  func edit(_ statement: SQL) throws {
    library.advance()
    try database.write { db in
      try db.execute("UPDATE sync_clock SET wall_ms = \(library.now)")
      try db.execute(statement)
      try db.execute("UPDATE sync_clock SET wall_ms = NULL")
    }
  }

  func seal() throws { _ = try replica.seal(limit: 100) }

  /// Returns the unsent packets, with one operation in each packet.
  func packets() throws -> [SyncPacket] { try replica.packets(operations: 1, bytes: 1 << 20) }

  /// Sends a packet to the server, and stores the results of the answer.
  func send(_ packet: SyncPacket) throws {
    try replica.accept(
      try library.server.push(packet, account: DirectedLibrary.account), for: packet)
  }

  /// Returns the server's answer to a pull, without storing it on the device.
  func page(limit: Int = 100) throws -> PullAnswer {
    try library.server.pull(
      try replica.pullRequest(limit: limit), account: DirectedLibrary.account)
  }

  /// Stores an answer to a pull, and applies its rows.
  ///
  /// The same answer may arrive more than once.
  func accept(_ answer: PullAnswer) throws {
    try replica.accept(answer)
    while try replica.execute(limit: 100) > 0 {}
  }

  /// Pulls and applies one page, and returns the answer of the server.
  @discardableResult
  func pullPage(limit: Int) throws -> PullAnswer {
    let answer = try page(limit: limit)
    try accept(answer)
    return answer
  }

  func pull() throws {
    for _ in 0..<20 {
      let before = try replica.state()
      try pullPage(limit: 100)
      if try replica.state() == before { return }
    }
  }

  /// Sends the first pull of a new device, which the server answers with the name of its history.
  ///
  /// The next pull begins a snapshot.
  func beginSnapshot() throws { try pullPage(limit: 1) }

  func synchronise() throws {
    try pull()
    try seal()
    for packet in try packets() { try send(packet) }
    try pull()
  }

  /// Returns a device with a copy of this device's database, as if the file was copied.
  func copy() throws -> DirectedDevice {
    let file = URL.temporaryDirectory.appending(path: "directed-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    try database.backUp(to: file)
    return DirectedDevice(library, try Database.inMemory(loadedFrom: file))
  }
}
