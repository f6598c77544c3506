#if SyncHTTP && SyncServer
  import Dispatch
  import Foundation
  import Synchronization

  /// Whether the user has pressed Ctrl-C, which no longer ends the process.
  final class Interruption {
    private final class Flag: Sendable {
      let value = Atomic(false)
    }

    private let flag = Flag()
    private let source: any DispatchSourceSignal

    init() {
      signal(SIGINT, SIG_IGN)
      source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
      let flag = flag
      source.setEventHandler { flag.value.store(true, ordering: .relaxed) }
      source.resume()
    }

    deinit { source.cancel() }

    var value: Bool { flag.value.load(ordering: .relaxed) }
  }
#endif
