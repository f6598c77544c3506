#if SyncServer
  import Logging
  import ServiceLifecycle

  /// The service that refreshes the tokens and examines the open streams at regular times.
  struct Ticker: Service {
    let core: ServerCore
    let seconds: Double

    func run() async throws {
      await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
          await tick()
          try? await Task.sleep(for: .seconds(seconds))
        }
      }
    }

    private func tick() async {
      do {
        try await core.jobs.run {
          try core.authenticator.refresh()
          try core.usage?.refresh()
        }
      } catch is CancellationError {
        return
      } catch {
        core.logger.error("cannot refresh the tokens", metadata: ["error": "\(error)"])
      }
      core.events.tick()
    }
  }
#endif
