#if SyncHTTP
  import Foundation

  /// A benchmark of the time until a change on one device is visible on another one, while many
  /// other subscribers are idle.
  ///
  /// It compares the time with that of a server without other subscribers, and measures the memory
  /// that idle subscribers need.
  struct HTTPPokeContest: Contestant {
    let name = "sync-http.pokes"
    let program: SyncServerProgram

    /// The milliseconds until the row is visible, as the 99th percentile.
    private static let visibleGoal = 100.0
    /// The peak size of a server with the larger number of subscribers, in megabytes.
    private static let memoryGoal = 200.0
    private static let accounts = 10

    private typealias Times = [(poke: Double, visible: Double)]

    func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
      let few = clock.isShort ? 50 : 1_000
      let many = clock.isShort ? 200 : 5_000
      try OpenFileLimit.raise(toAtLeast: many + 500)
      let rounds = clock.isShort ? 10 : 200
      var (ours, peer): ([Times], [Times]) = ([], [])
      try withServer(in: directory.appending(path: "times")) { server, tokens, devices in
        // The first exchanges prepare statements and connections.
        for _ in 0..<5 { _ = try devices.change() }
        for _ in 0..<min(clock.runs, 5) {
          // The server closes the connections of the last run meanwhile.
          usleep(500_000)
          peer.append(try (0..<rounds).map { _ in try devices.change() })
          let idle = try IdleSubscribers(few, port: server.port, tokens: tokens)
          ours.append(try (0..<rounds).map { _ in try devices.change() })
          try idle.requireConnected()
        }
      }
      let memory = try memory(
        many, holding: clock.isShort ? 0 : 25, in: directory.appending(path: "memory"))
      return [("poke", 50), ("poke", 99), ("visible", 50), ("visible", 99)].map { what, percent in
        func values(_ runs: [Times]) -> [Double] {
          runs.map { run in run.map { what == "poke" ? $0.poke : $0.visible }.percentile(percent) }
        }
        return Measurement(
          "\(name)-\(what)-p\(percent)", unit: "ms", peerName: "no idle subscribers",
          ours: values(ours), raw: nil, peer: values(peer),
          goal: (what, percent) == ("visible", 99) ? Self.visibleGoal : nil)
      } + [
        Measurement(
          "\(name)-memory", unit: "MB", peerName: "no subscribers", ours: [memory.subscribers],
          raw: nil, peer: [memory.none], goal: Self.memoryGoal)
      ]
    }

    /// Returns the peak size in megabytes of a new server without and with subscribers, while two
    /// devices synchronise.
    ///
    /// - Parameter seconds: the time for which the subscribers remain connected. A server sends a
    ///   heartbeat every 20 seconds.
    private func memory(
      _ count: Int, holding seconds: UInt32, in directory: URL
    ) throws -> (none: Double, subscribers: Double) {
      try withServer(in: directory) { server, tokens, devices in
        _ = try devices.change()
        let none = try server.peakByteCount()
        let idle = try IdleSubscribers(count, port: server.port, tokens: tokens)
        sleep(seconds)
        for _ in 0..<10 { _ = try devices.change() }
        try idle.requireConnected()
        return (Double(none) / 1_000_000, Double(try server.peakByteCount()) / 1_000_000)
      }
    }

    /// Runs `body` with a new server, tokens of several accounts for subscribers, and two devices.
    private func withServer<Result>(
      in directory: URL, _ body: (SyncServerProcess, [String], DevicePair) throws -> Result
    ) throws -> Result {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let data = try ServerData(at: directory.appending(path: "data"), program)
      let tokens = try (0..<Self.accounts).map {
        try program.createToken(for: "reader \($0)", in: data.arguments)
      }
      return try program.withServer(on: data) { server in
        let devices = try DevicePair(server, in: directory)
        let result = try body(server, tokens, devices)
        try devices.disconnect()
        return result
      }
    }
  }
#endif
