#if SyncHTTP
  import Foundation
  import UndercroftSQLite
  import UndercroftSync
  import UndercroftSyncHTTP

  /// The packets that devices have sent to a server, to be sent again to copies of its data.
  ///
  /// Each device has a scope of its own.
  struct RecordedPackets {
    /// The packets of each device, in the order of the operations.
    let packets: [[SyncRequest]]
    let packetSize: Int
    /// The data of the server before the packets.
    let data: ServerData

    var operationCount: Int { packets.joined().count * packetSize }

    /// Records packets that insert rows.
    ///
    /// - Parameter data: the data of a server without scopes.
    init(
      devices: Int, packets count: Int, of packetSize: Int, to data: ServerData,
      _ program: SyncServerProgram, in directory: URL
    ) throws {
      self.data = data
      self.packetSize = packetSize
      let databases = try (0..<devices).map {
        try CopiedBook.makeDatabase(at: directory.appending(path: "device-\($0).sqlite"))
      }
      func synchronise(_ inserted: Int, on data: ServerData) throws -> [[SyncRequest]] {
        try program.withServer(on: data) { server in
          try server.withPeer { http in
            try databases.enumerated().map { number, database in
              try Self.synchronise(
                database, ScopeIdentifier("library:\(number)"), with: http, inserting: inserted,
                of: packetSize)
            }
          }
        }
      }
      // The scopes and their epochs are created by the first requests, and the packets name them.
      _ = try synchronise(0, on: data)
      packets = try data.withCopy { try synchronise(count, on: $0) }
      for database in databases { try database.close() }
      guard packets.allSatisfy({ $0.count == count }) else {
        throw BenchmarkFailure("\(packets.map(\.count)) packets instead of \(count) each")
      }
    }

    /// Synchronises a device, which inserts the rows of one packet at a time, and returns the
    /// packets.
    private static func synchronise(
      _ database: Database, _ scope: ScopeIdentifier, with http: HTTPSyncPeer,
      inserting count: Int, of packetSize: Int
    ) throws -> [SyncRequest] {
      let peer = MeasuredPeer(through: http, storesRequests: true)
      let engine = try peer.engine(of: database, scope: scope)
      try engine.syncAndWait()
      for packet in 0..<count {
        let first = packet * packetSize + 1
        let books = CopiedBook.numbered(first...(first + packetSize - 1))
        try database.write { db in
          try CopiedBook.run(CopiedBook.insertion, with: books[...], in: db)
        }
        try engine.syncAndWait()
      }
      return peer.traffic(of: .push).requests
    }

    /// Sends the packets to servers that use a copy of the data, all devices at the same time.
    ///
    /// A device sends its packets one after the other, each to another server, so every server
    /// answers packets of every scope.
    ///
    /// - Returns: the milliseconds until the last answer.
    func send(to peers: [any SyncPeer]) throws -> Double {
      let packets = packets
      let duration = try ContinuousClock().measure {
        try waitForTask {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for (device, packets) in packets.enumerated() {
              group.addTask {
                for (number, packet) in packets.enumerated() {
                  _ = try await peers[(device + number) % peers.count].send(packet)
                }
              }
            }
            try await group.waitForAll()
          }
        }
      }
      return duration / .milliseconds(1)
    }

    /// Sends the packets to server processes that use a new copy of the data, and returns the
    /// milliseconds.
    ///
    /// - Throws: also if the servers have not stored each operation once.
    func send(toServers count: Int = 1, of program: SyncServerProgram) throws -> Double {
      try data.withCopy { copy in
        let time = try program.withServers(count, on: copy) { servers in
          let peers = servers.map { $0.peer() }
          defer { for peer in peers { peer.closeAndWait() } }
          return try send(to: peers)
        }
        try copy.requireOperations(operationCount)
        return time
      }
    }
  }
#endif
