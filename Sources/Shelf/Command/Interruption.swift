@preconcurrency import Dispatch
import Foundation

/// Listens to Ctrl-C: the first one is told, a second one ends the program, which also leaves everything whole.
final class Interruption: Sendable {
  private let source: any DispatchSourceSignal

  init(_ told: @escaping @Sendable () -> Void) {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      told()
      signal(SIGINT, SIG_DFL)
      source.cancel()
    }
    source.activate()
    self.source = source
  }

  /// Listens no more.
  func end() {
    signal(SIGINT, SIG_DFL)
    source.cancel()
  }
}
