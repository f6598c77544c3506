#if SyncHTTP && SyncServer
  import AllocatedMemory
  import ArgumentParser
  import Foundation
  import NetworkTestSupport
  import Synchronization

  /// The command that synchronises many devices for a time, while some requests fail.
  ///
  /// It checks that memory remains flat, and that devices and server have the same rows afterwards.
  /// Ctrl-C ends it early with the same checks.
  struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "soak",
      abstract: """
        Synchronise many devices with undercroft-sync-server while requests fail, and compare \
        memory and rows.
        """)

    @OptionGroup var plan: SoakPlan
    @Option(help: "The seconds until the devices stop changing rows.") var seconds = 1800
    @Option(help: "The number of processes with devices.") var processes = 5
    @Option(help: "The percentage of requests that fail on purpose.") var failed = 1.0
    @Option(help: "The store of the server: \(NetworkStoreName.names).")
    var store = NetworkStoreName.sqlite
    @Option(
      help: "Where to store the files; by default a temporary folder, removed after a success.")
    var directory: String?

    /// The seconds that a process of devices may need for its end.
    private static let endingLimit = Duration.seconds(120)

    static func counts(of process: Int, in place: SyncPlace) -> URL {
      place.folder.appending(path: "counts-\(process).json")
    }

    /// The file whose existence ends the work of the devices.
    static func end(in place: SyncPlace) -> URL { place.folder.appending(path: "end") }

    func validate() throws {
      guard processes >= 1, processes <= plan.devices else {
        throw ValidationError("Each process needs a device: state fewer --processes.")
      }
      guard (0...100).contains(failed) else {
        throw ValidationError("--failed is a percentage from 0 to 100.")
      }
    }

    func run() throws {
      signal(SIGPIPE, SIG_IGN)
      let isInterrupted = Interruption()
      let parent = directory.map { URL(filePath: $0) } ?? URL.temporaryDirectory
      let folder = parent.appending(path: "undercroft-soak-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let place = SyncPlace(folder)
      print(
        "soak: \(plan.devices) devices, \(plan.scopes) scopes, \(seconds) seconds, "
          + "\(failed) % of requests fail, seed \(plan.seed)")
      let service = try NetworkService(
        store, in: folder, processes: store == .postgres ? 3 : 1,
        RequestFaults(seed: plan.seed, share: failed / 100, .failures))
      defer { service.killAll() }
      try service.server.start()
      guard service.server.wait(for: .ready) else {
        throw ServerProcess.Failure(description: "the server does not start: \(folder.path())")
      }

      var report = SyncKillReport(name: "soak")
      let memory = try work(place, service, isInterrupted, &report)
      try SoakComparison(plan: plan, place: place, service: service).run(&report)
      for record in memory {
        print(record.summary)
        if let trouble = record.trouble { report.note(.other, trouble) }
      }
      let troubles = SyncKillReport.Trouble.allCases
        .map { "\(report.troubles[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
      print("soak: \(plan.devices) devices, \(plan.scopes) scopes, \(troubles)")
      guard report.isClean else {
        print("the files of the failed run are in \(folder.path())")
        throw ExitCode.failure
      }
      try FileManager.default.removeItem(at: folder)
    }

    // MARK: Working

    /// Runs the processes of devices until the time is over.
    ///
    /// Returns the records of memory.
    private func work(
      _ place: SyncPlace, _ service: NetworkService, _ isInterrupted: Interruption,
      _ report: inout SyncKillReport
    ) throws -> [MemoryRecord] {
      let clients = try (0..<processes).map { number in
        try WatchedProcess(
          URL(filePath: CommandLine.arguments[0]),
          ["soak-client", "--directory", place.folder.path(), "--number", "\(number)"]
            + ["--processes", "\(processes)"] + plan.options + service.clientOptions,
          output: place.folder.appending(path: "clients-\(number).log"))
      }
      let begin = ContinuousClock.now
      var server = Self.residentMemory(of: "server")
      var devices = Self.residentMemory(of: "devices")
      var allocated = MemoryRecord(
        "allocated memory of the devices", growth: 0.05, tolerance: 4 << 20)
      let interval = min(60, max(1, seconds / 10))
      for second in 1...max(1, seconds) {
        let next = begin + .seconds(second)
        while ContinuousClock.now < next, !isInterrupted.value {
          Thread.sleep(forTimeInterval: 0.1)
        }
        let areRunning =
          clients.allSatisfy(\.isRunning)
          && service.group.servers.allSatisfy(\.isRunning)
        guard areRunning, !isInterrupted.value else { break }
        server.add(MemoryRecord.residentBytes(of: service.group.servers.compactMap(\.identifier)))
        devices.add(MemoryRecord.residentBytes(of: clients.map(\.identifier)))
        allocated.add(total(place).allocatedBytes)
        if second.isMultiple(of: interval) {
          print(line(second, place, service, [server, devices, allocated]))
          // The output in a file shows the progress.
          fflush(nil)
        }
      }
      _ = FileManager.default.createFile(atPath: Self.end(in: place).path, contents: nil)
      for (number, client) in clients.enumerated() {
        let isEnded = client.wait(within: Self.endingLimit)
        let status = client.end(SIGKILL)
        if !isEnded || status != 0 {
          report.note(.other, "the process \(number) of devices ended with the status \(status)")
        }
      }
      let counts = total(place)
      for error in counts.errors { report.note(.other, error) }
      if counts.synchronisations == 0 { report.note(.other, "no device has synchronised") }
      // Not every C library counts allocated memory.
      let memory = [server, devices] + (allocated_bytes() > 0 ? [allocated] : [])
      print(line(server.count, place, service, memory))
      return memory
    }

    private static func residentMemory(of processes: String) -> MemoryRecord {
      MemoryRecord("resident memory of the \(processes)", growth: 0.2, tolerance: 16 << 20)
    }

    private func total(_ place: SyncPlace) -> SoakCounts {
      (0..<processes).reduce(SoakCounts()) { $0 + SoakCounts(at: Self.counts(of: $1, in: place)) }
    }

    private func line(
      _ second: Int, _ place: SyncPlace, _ service: NetworkService, _ memory: [MemoryRecord]
    ) -> String {
      let (counts, relayed) = (total(place), service.relay.counts)
      return "soak: \(second) s, \(counts.operations) transactions, \(relayed.requests) requests, "
        + "\(relayed.failures) failed on purpose, \(relayed.unanswered) unanswered, "
        + "\(counts.synchronisations) synchronisations, \(counts.failures) failed, "
        + "\(counts.conflicts) conflicts answered, "
        + memory.map { "\($0.name) \(MemoryRecord.text($0.last))" }.joined(separator: ", ")
    }
  }
#endif
