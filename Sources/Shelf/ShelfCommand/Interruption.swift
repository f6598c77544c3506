import Foundation
import Synchronization

/// A handler of Ctrl-C (`SIGINT`) that calls a closure for the first signal.
///
/// A second signal ends the program immediately. Every store remains consistent. A signal that the
/// parent process ignores, as `nohup` does, stays ignored.
final class Interruption: Sendable {
  /// The closure for the next signal, or `nil` if there is none.
  private static let handler = Mutex<(@Sendable () -> Void)?>(nil)
  /// The end of the pipe through which a signal wakes the thread that calls the closure.
  private static let wakeUp = startThread()

  init(_ handler: @escaping @Sendable () -> Void) {
    Self.handler.withLock { $0 = handler }
    var present = sigaction()
    sigaction(SIGINT, nil, &present)
    guard Self.wakeUp >= 0, !Self.isIgnored(present) else { return }
    // The system restores the default action together with the first call, so that no signal
    // between both is lost.
    var action = sigaction()
    Self.set(&action) { _ in
      let number = errno
      var byte: UInt8 = 1
      _ = write(Interruption.wakeUp, &byte, 1)
      errno = number
    }
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_RESTART)
    sigaction(SIGINT, &action, nil)
  }

  /// Stops handling Ctrl-C, so that the next signal ends the program.
  func end() {
    Self.handler.withLock { $0 = nil }
    signal(SIGINT, SIG_DFL)
  }

  /// Starts the thread that calls the closure, which a signal handler must not do itself, and
  /// returns the end of the pipe that wakes the thread, or -1 if the system has no more files.
  private static func startThread() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = ends[0]
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while true {
        let count = read(input, &byte, 1)
        if count < 0, errno == EINTR { continue }
        guard count == 1 else { return }
        handler.withLock { handler in
          defer { handler = nil }
          return handler
        }?()
      }
    }
    return ends[1]
  }

  private static func set(
    _ action: inout sigaction, _ function: @escaping @convention(c) (Int32) -> Void
  ) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = function
    #else
      action.__sigaction_handler.sa_handler = function
    #endif
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
