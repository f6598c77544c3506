#if SyncHTTP
  import Foundation
  import Synchronization
  import UndercroftCore
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP

  /// A device that changes rows, and a device that receives pokes and pulls the changes.
  final class DevicePair {
    private struct Round {
      var start: ContinuousClock.Instant?
      var poke: ContinuousClock.Instant?
      var visible: ContinuousClock.Instant?
      /// The latest version that a poke has contained.
      var head: Int64 = 0
    }

    private let peers: (sender: HTTPSyncPeer, receiver: HTTPSyncPeer)
    private let databases: (sender: Database, receiver: Database)
    private let engines: (sender: SyncEngine, receiver: SyncEngine)
    private let round: SharedRound
    private var lastNumber = 0

    /// The times of the present change, which several threads record.
    private final class SharedRound: Sendable {
      private let state = Mutex(Round())
      private let end = DispatchSemaphore(value: 0)

      func begin() {
        state.withLock { $0 = Round(head: $0.head) }
      }

      /// Changes the round, and wakes the waiting thread when it has become complete.
      private func note(_ body: (inout Round) -> Void) {
        let isComplete = state.withLock { round in
          let wasComplete = round.poke != nil && round.visible != nil
          body(&round)
          return !wasComplete && round.poke != nil && round.visible != nil
        }
        if isComplete { end.signal() }
      }

      func notePush() { note { $0.start = $0.start ?? .now } }

      func notePoke(_ head: Int64) {
        note { round in
          guard head > round.head else { return }
          round.head = head
          if round.start != nil { round.poke = round.poke ?? .now }
        }
      }

      func noteRow() {
        note { round in if round.start != nil { round.visible = round.visible ?? .now } }
      }

      /// Waits until the poke and the row have arrived, and returns the milliseconds since the
      /// packet was sent.
      func wait() throws -> (poke: Double, visible: Double) {
        guard end.wait(timeout: .now() + 60) == .success else {
          throw BenchmarkFailure("a change has not arrived")
        }
        let round = state.withLock { $0 }
        guard let start = round.start, let poke = round.poke, let visible = round.visible else {
          throw BenchmarkFailure("a change was not timed")
        }
        return ((poke - start) / .milliseconds(1), (visible - start) / .milliseconds(1))
      }
    }

    private let observation: Registration
    private let pokes: Task<Void, Never>

    /// Connects two devices with empty databases to a server.
    init(_ server: SyncServerProcess, in directory: URL) throws {
      let round = SharedRound()
      self.round = round
      let peers = (sender: server.peer(), receiver: server.peer())
      self.peers = peers
      databases = (
        try CopiedBook.makeDatabase(at: directory.appending(path: "sender.sqlite")),
        try CopiedBook.makeDatabase(at: directory.appending(path: "receiver.sqlite"))
      )
      engines = (
        try MeasuredPeer(
          through: peers.sender,
          willSend: { if $0.endpoint == .push { round.notePush() } }
        ).engine(of: databases.sender),
        try SyncEngine(
          databases.receiver, scope: MeasuredPeer.scope, account: MeasuredPeer.account,
          tables: CopiedBook.tables, peer: peers.receiver)
      )
      try engines.sender.syncAndWait()
      observation = try databases.receiver.observe(.table("book")) { _ in round.noteRow() }
      // The streams of a peer share one connection, so this is the poke that the engine receives.
      pokes = Task.detached {
        for await poke in peers.receiver.pokes(for: [MeasuredPeer.scope]) {
          round.notePoke(poke.head)
        }
      }
      try engines.receiver.start()
      // The connection of the pokes is opened meanwhile.
      usleep(500_000)
    }

    /// Inserts a row on one device, sends it, and waits until it is visible on the other one.
    ///
    /// - Returns: the milliseconds from the packet to the poke and to the visible row, which
    ///   include the time in which the server stores the packet.
    func change() throws -> (poke: Double, visible: Double) {
      lastNumber += 1
      round.begin()
      let book = CopiedBook(numbered: lastNumber)
      try databases.sender.write { db in
        try CopiedBook.run(CopiedBook.insertion, with: [book], in: db)
      }
      try engines.sender.syncAndWait()
      let times = try round.wait()
      try CopiedBook.require(
        lastNumber, "SELECT count(*) FROM book", in: databases.receiver, "visible rows")
      // Both devices finish their exchanges, so that each change begins alike.
      usleep(20_000)
      return times
    }

    /// Disconnects the devices.
    func disconnect() throws {
      observation.cancel()
      pokes.cancel()
      let (engines, peers) = (engines, peers)
      try waitForTask { await engines.receiver.stopAndWait() }
      for peer in [peers.sender, peers.receiver] { peer.closeAndWait() }
      for database in [databases.sender, databases.receiver] { try database.close() }
    }
  }
#endif
