import Foundation
import Synchronization

/// The reaction to signals that end a command, such as that of Ctrl-C.
enum Interruption {
  // The sources must live as long as the process.
  private static let sources = Mutex<[Source]>([])

  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  /// Removes the temporary folders before one of the signals `SIGINT`, `SIGTERM` and `SIGHUP` ends
  /// the process.
  ///
  /// A signal that the process ignores, such as with `nohup`, remains ignored.
  static func prepare() {
    sources.withLock { sources in
      guard sources.isEmpty else { return }
      sources = [SIGINT, SIGTERM, SIGHUP].compactMap { handle($0) }
    }
  }

  private static func handle(_ number: Int32) -> Source? {
    let old = signal(number, SIG_IGN)
    // The action of an ignored signal is the pointer 1. (`SIG_IGN`)
    guard unsafeBitCast(old, to: Int.self) != 1 else { return nil }
    #if !canImport(Darwin)
      // The source installs a handler of its own. An ignored signal would be lost until then.
      signal(number, SIG_DFL)
    #endif
    let isReady = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      TemporaryFolder.removeAll {
        signal(number, SIG_DFL)
        // The parent process may have started this process with blocked signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        kill(getpid(), number)
      }
    }
    source.setRegistrationHandler { isReady.signal() }
    source.resume()
    isReady.wait()
    return Source(source: source)
  }
}
