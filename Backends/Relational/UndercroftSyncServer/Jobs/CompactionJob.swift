#if SyncServer
  import Logging
  import ServiceLifecycle
  import UndercroftFoundation
  import UndercroftSync

  /// The service that removes old tombstones, operations, conflicts and replicas.
  ///
  /// A lease in the store ensures that only one of several processes runs the job.
  struct CompactionJob: Service {
    let core: ServerCore
    let schedule: ServerOptions.CompactionSchedule
    private let owner = UUID().uuidString.lowercased()

    init(core: ServerCore, schedule: ServerOptions.CompactionSchedule) {
      self.core = core
      self.schedule = schedule
    }

    func run() async throws {
      await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
          // Processes that were started together do not ask for the lease at the same time.
          let seconds = max(0.01, schedule.seconds) * Double.random(in: 0.9..<1.1)
          try? await Task.sleep(for: .seconds(seconds))
          guard !Task.isCancelled else { return }
          do { try await runOnce() } catch is CancellationError { return } catch {
            core.logger.error("cannot compact the scopes", metadata: ["error": "\(error)"])
          }
        }
      }
    }

    /// Compacts all scopes if this process can acquire the lease.
    func runOnce() async throws {
      let (core, owner, schedule) = (core, owner, schedule)
      let lease = Int64(schedule.seconds * 500) + 60_000
      guard try await acquireLease(lease) else { return }
      var removed = 0
      for scope in try await core.jobs.run({ try core.server.scopes() }) {
        try Task.checkCancellation()
        guard try await acquireLease(lease) else { return }
        let result = try await core.jobs.run {
          let result = try core.server.compact(scope, retention: schedule.retention)
          try core.usage?.measure(scope, on: core.server)
          return result
        }
        removed += result.tombstones + result.operations + result.conflicts + result.replicas
      }
      core.logger.info(
        "compacted the scopes", metadata: ["removed": "\(removed)", "owner": "\(owner)"])
    }

    private func acquireLease(_ milliseconds: Int64) async throws -> Bool {
      let (core, owner) = (core, owner)
      return try await core.jobs.run {
        try core.server.acquireLease(on: "compaction", owner: owner, milliseconds: milliseconds)
      }
    }
  }
#endif
