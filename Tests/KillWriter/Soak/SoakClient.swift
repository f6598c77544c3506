#if SyncHTTP && SyncServer
  import AllocatedMemory
  import ArgumentParser
  import Foundation
  import Synchronization

  /// The command of a process with some devices of a soak.
  struct SoakClient: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "soak-client",
      abstract: "Change and synchronise the databases of devices, until the soak is over.")

    @Option var directory: String
    @Option(help: "The number of this process.") var number: Int
    @Option(help: "The number of processes.") var processes: Int
    @OptionGroup var plan: SoakPlan
    @OptionGroup var connection: SyncConnection

    /// The counts, in a class because the threads of the devices share them.
    private final class Shared: Sendable {
      let counts = Mutex(SoakCounts())
      let isOver = Mutex(false)
    }

    func run() throws {
      signal(SIGPIPE, SIG_IGN)
      let parent = getppid()
      let place = SyncPlace(URL(filePath: directory))
      let shared = Shared()
      let devices = try stride(from: number, to: plan.devices, by: processes).map { device in
        try SoakDevice(
          device, of: plan, in: place, port: connection.port ?? 0, token: connection.token ?? "")
      }
      let workers = devices.map { device in
        Worker {
          do { try device.work(shared.counts, until: { shared.isOver.withLock { $0 } }) } catch {
            shared.counts.withLock { $0.errors.append("\(device.name): \(error)") }
          }
        }
      }
      for worker in workers { worker.start() }
      let file = Soak.counts(of: number, in: place)
      let end = Soak.end(in: place)
      while getppid() == parent, !FileManager.default.fileExists(atPath: end.path) {
        Thread.sleep(forTimeInterval: 0.5)
        var counts = shared.counts.withLock { $0 }
        counts.allocatedBytes = allocated_bytes()
        try counts.write(to: file)
      }
      shared.isOver.withLock { $0 = true }
      for worker in workers { worker.wait() }
      try shared.counts.withLock { $0 }.write(to: file)
      for device in devices { try device.close() }
    }
  }
#endif
