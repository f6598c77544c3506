@preconcurrency import Dispatch
import Foundation

/// A handler of Ctrl-C (`SIGINT`) that calls a closure for the first signal.
///
/// A second signal ends the program immediately. Every store remains consistent.
final class Interruption: Sendable {
  private let source: any DispatchSourceSignal

  init(_ handler: @escaping @Sendable () -> Void) {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      handler()
      signal(SIGINT, SIG_DFL)
      source.cancel()
    }
    source.activate()
    self.source = source
  }

  /// Stops handling Ctrl-C, so that the next signal ends the program.
  func end() {
    signal(SIGINT, SIG_DFL)
    source.cancel()
  }
}
