#if SyncHTTP
  import Foundation
  import UndercroftSync

  /// A benchmark of a new device that pulls all rows of a server process.
  ///
  /// It compares the time with that of a server in the process of the device, and measures the
  /// memory of both processes.
  struct HTTPFirstPullContest: Contestant {
    let name = "sync-http.first-pull"
    let program: SyncServerProgram

    /// The ratio of the times, for half the rate of a server in the same process.
    private static let goal = 2.0
    /// The memory for ten times as many rows, divided by the memory for the fewer rows.
    private static let memoryGoal = 1.5

    /// The seconds of a pull, and the peak sizes of both processes in bytes.
    private struct Pull {
      let seconds: Double
      let clientBytes: Double
      let serverBytes: Double
    }

    func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
      let sent = clock.isShort ? 500 : 20_000
      let few = clock.isShort ? 500 : 100_000
      let data = try ServerData(at: directory.appending(path: "data"), program)
      _ = try FirstPullContest.fill(data.store, sent: sent, in: directory)
      var (many, fewer, inProcess): ([Pull], [Pull], [Double]) = ([], [], [])
      for _ in 0..<min(clock.runs, 2) {
        fewer.append(try data.withCopy { try pull(few, of: $0, from: sent, in: directory).pull })
        let result = try data.withCopy { try pull(10 * few, of: $0, from: sent, in: directory) }
        many.append(result.pull)
        inProcess.append(result.inProcess)
      }
      func memory(_ side: String, _ bytes: KeyPath<Pull, Double>) -> Measurement {
        Measurement(
          "\(name)-\(side)", unit: "MB", peerName: nil,
          ours: many.map { $0[keyPath: bytes] / 1_000_000 },
          raw: fewer.map { $0[keyPath: bytes] / 1_000_000 }, peer: nil, goal: Self.memoryGoal)
      }
      return [
        Measurement(
          name, unit: "s", peerName: nil, ours: many.map(\.seconds), raw: inProcess, peer: nil,
          goal: Self.goal),
        memory("client", \.clientBytes), memory("server", \.serverBytes),
      ]
    }

    /// Pulls a number of rows over HTTP, and returns also the seconds of the same pull in one
    /// process.
    private func pull(
      _ rowCount: Int, of data: ServerData, from sent: Int, in directory: URL
    ) throws -> (pull: Pull, inProcess: Double) {
      try FirstPullContest.multiply(data.store, from: sent, to: rowCount)
      let device = directory.appending(path: "device")
      func run(_ arguments: [String]) throws -> [Double] {
        try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
        // A separate process, so that no earlier work affects the peak size.
        let figures = try PeakMemory.figures(
          printedBy: arguments + [device.appending(path: "library").path, "\(rowCount)"], count: 2)
        try FileManager.default.removeItem(at: device)
        return figures
      }
      let inProcess = try run(["pull", data.store.path])
      return try program.withServer(on: data) { server in
        let figures = try run(["pull-over-http", server.address.absoluteString, data.token])
        let pull = Pull(
          seconds: figures[0], clientBytes: figures[1],
          serverBytes: Double(try server.peakByteCount()))
        return (pull, inProcess[0])
      }
    }

    /// Pulls all rows of a server into a new database.
    ///
    /// - Returns: the seconds, and the peak size of this process in bytes.
    static func pull(
      from server: URL, token: String, to url: URL, rowCount: Int
    ) throws -> (seconds: Double, bytes: Int) {
      let http = SyncServerProcess.peer(server, token)
      let seconds = try FirstPullContest.pull(
        through: MeasuredPeer(through: http), to: url, rowCount: rowCount
      ).seconds
      http.closeAndWait()
      return (seconds, try PeakMemory.bytes())
    }
  }
#endif
