#if SyncHTTP
  import Foundation
  import UndercroftSync

  /// A benchmark of one, two and three server processes on one PostgreSQL database, to which
  /// several devices send packets at the same time.
  ///
  /// Each device has a scope of its own, and sends its packets to the processes in turn.
  struct HTTPScaleOutContest: Contestant {
    let name = "sync-http.scale-out"
    let program: SyncServerProgram

    func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
      let cluster = try PostgresCluster()
      let data = try ServerData(at: directory.appending(path: "scale_data"), program, cluster)
      let recorded = try RecordedPackets(
        devices: clock.isShort ? 3 : 12, packets: clock.isShort ? 4 : 40, of: 50, to: data, program,
        in: directory)
      let operations = Double(recorded.operationCount)
      var rates: [Int: [Double]] = [:]
      for _ in 0..<min(clock.runs, 5) {
        for processes in 1...3 {
          let time = try recorded.send(toServers: processes, of: program)
          rates[processes, default: []].append(operations / time * 1_000)
        }
      }
      try cluster.stop()
      return (1...3).map { processes in
        Measurement(
          "\(name)-\(processes)", unit: "op/s", peerName: nil, ours: rates[processes] ?? [],
          raw: processes == 1 ? nil : rates[1], peer: nil)
      }
    }
  }
#endif
