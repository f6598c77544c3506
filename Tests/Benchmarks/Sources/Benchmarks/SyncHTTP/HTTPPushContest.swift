#if SyncHTTP
  import Foundation
  import UndercroftSync

  /// A benchmark of server processes that answer packets of 500 operations over HTTP, compared with
  /// a server in the process of the device that answers the same packets.
  struct HTTPPushContest: Contestant {
    let name = "sync-http.push"
    let program: SyncServerProgram

    /// The number of operations of a packet by default.
    private static let packetSize = SyncLimits().operations
    /// The ratio of the times, for 0.6 times the rate of the server in the same process.
    private static let goal = 1.66

    func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
      let count = clock.isShort ? 4 : 40
      let cluster = try PostgresCluster()
      func record(_ name: String, _ cluster: PostgresCluster?) throws -> RecordedPackets {
        let place = directory.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let data = try ServerData(at: place.appending(path: name + "_data"), program, cluster)
        return try RecordedPackets(
          devices: 1, packets: count, of: Self.packetSize, to: data, program, in: place)
      }
      let sqlite = try record("sqlite", nil)
      let postgres = try record("postgres", cluster)
      var times: (ours: [Double], raw: [Double], peer: [Double]) = ([], [], [])
      for run in 0..<clock.runs {
        // Alternate the order, so that neither is always first.
        for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
          if isOurs {
            times.ours.append(try sqlite.send(toServers: 1, of: program))
          } else {
            times.raw.append(try Self.sendInProcess(sqlite))
          }
        }
        times.peer.append(try postgres.send(toServers: 1, of: program))
      }
      try cluster.stop()
      func perPacket(_ times: [Double]) -> [Double] { times.map { $0 / Double(count) } }
      return [
        Measurement(
          name, unit: "ms/packet", peerName: "PostgreSQL", ours: perPacket(times.ours),
          raw: perPacket(times.raw), peer: perPacket(times.peer), goal: Self.goal)
      ]
    }

    /// Sends the packets to a server in this process that uses a new copy of the data, and returns
    /// the milliseconds.
    private static func sendInProcess(_ recorded: RecordedPackets) throws -> Double {
      try recorded.data.withCopy { copy in
        let store = try SQLiteSyncStore(at: copy.store)
        // The program has no tables and grants every account access, as this server does.
        let server = SyncServer(store: store, access: { _, _ in .readWrite })
        let time = try recorded.send(to: [server.peer(account: ServerData.account)])
        try store.close()
        try copy.requireOperations(recorded.operationCount)
        return time
      }
    }
  }
#endif
