#if SyncHTTP
  import Foundation
  import Synchronization
  import UndercroftSQLite
  import UndercroftSync

  /// A benchmark of a device that changes one row at a time and synchronises.
  ///
  /// It compares a server over HTTP, a server in the process of the device, and a server over HTTP
  /// on PostgreSQL.
  struct HTTPSingleContest: Contestant {
    let name = "sync-http.single"
    let program: SyncServerProgram

    /// The milliseconds of each packet of one operation, from the request to the answer, and of
    /// each synchronisation of the device.
    private struct Times {
      var push: [Double] = []
      var sync: [Double] = []
    }

    func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
      let count = clock.isShort ? 20 : 500
      let runs = min(clock.runs, 5)
      let cluster = try PostgresCluster()
      let store = try SQLiteSyncStore(at: directory.appending(path: "in-process"))
      let server = SyncServer(store: store, access: { _, _ in .readWrite })
      let sqlite = try ServerData(at: directory.appending(path: "sqlite_data"), program)
      let postgres = try ServerData(
        at: directory.appending(path: "postgres_data"), program, cluster)
      func device(_ name: String, _ peer: any SyncPeer) throws -> Device {
        try Device(at: directory.appending(path: name + ".sqlite"), peer)
      }
      var (ours, raw, peer): ([Times], [Times], [Times]) = ([], [], [])
      try program.withServer(on: sqlite) { sqlite in
        try program.withServer(on: postgres) { postgres in
          try sqlite.withPeer { sqlitePeer in
            try postgres.withPeer { postgresPeer in
              let devices = try [
                device("sqlite", sqlitePeer),
                device("plain", server.peer(account: ServerData.account)),
                device("postgres", postgresPeer),
              ]
              for _ in 0..<runs {
                ours.append(try devices[0].change(count))
                raw.append(try devices[1].change(count))
                peer.append(try devices[2].change(count))
              }
              for device in devices { try device.database.close() }
            }
          }
        }
      }
      try store.close()
      for data in [sqlite, postgres] { try data.requireOperations(runs * count) }
      try cluster.stop()
      return [("push", \Times.push), ("sync", \Times.sync)].flatMap { what, times in
        [50, 99].map { percent in
          func values(_ runs: [Times]) -> [Double] {
            runs.map { $0[keyPath: times].percentile(percent) }
          }
          return Measurement(
            "\(name)-\(what)-p\(percent)", unit: "ms", peerName: "PostgreSQL",
            ours: values(ours), raw: values(raw), peer: values(peer))
        }
      }
    }

    /// A device whose requests are timed.
    private final class Device {
      let database: Database
      private let engine: SyncEngine
      private let pushes: PushTimes
      private var lastNumber = 0

      init(at url: URL, _ peer: any SyncPeer) throws {
        let pushes = PushTimes()
        self.pushes = pushes
        database = try CopiedBook.makeDatabase(at: url)
        engine = try MeasuredPeer(
          through: peer,
          willSend: { if $0.endpoint == .push { pushes.begin() } },
          didAnswer: { if $0.endpoint == .push { pushes.end() } }
        ).engine(of: database)
        try engine.syncAndWait()
      }

      /// Inserts rows, each of which is sent before the next one is inserted.
      func change(_ count: Int) throws -> Times {
        var times = Times()
        for _ in 0..<count {
          lastNumber += 1
          let book = CopiedBook(numbered: lastNumber)
          try database.write { db in
            try CopiedBook.run(CopiedBook.insertion, with: [book], in: db)
          }
          let duration = try ContinuousClock().measure { try engine.syncAndWait() }
          times.sync.append(duration / .milliseconds(1))
        }
        times.push = pushes.removeAll()
        guard times.push.count == count else {
          throw BenchmarkFailure("\(times.push.count) packets instead of \(count)")
        }
        return times
      }
    }

    /// The milliseconds from each packet to its answer.
    private final class PushTimes: Sendable {
      private let state = Mutex<(start: ContinuousClock.Instant?, times: [Double])>((nil, []))

      func begin() { state.withLock { $0.start = .now } }

      func end() {
        state.withLock { state in
          guard let start = state.start else { return }
          state.times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
      }

      func removeAll() -> [Double] {
        state.withLock { state in
          defer { state.times = [] }
          return state.times
        }
      }
    }
  }
#endif
