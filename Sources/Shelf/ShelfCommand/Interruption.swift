@preconcurrency import Dispatch
import Foundation

/// A handler of Ctrl-C (`SIGINT`), which calls a closure for the first signal.
///
/// A second signal ends the program. This leaves every store consistent as well.
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

  /// Restores the default action of the signal.
  func end() {
    signal(SIGINT, SIG_DFL)
    source.cancel()
  }
}
