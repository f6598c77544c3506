import Foundation
import Synchronization
import UndercroftFileSystem

/// The end of the process by a signal, such as that of Ctrl-C.
///
/// The process ends by the signal itself, so that a shell also ends the script or the loop that
/// runs the command. A shell reports the status 128 + the number of the signal: 130 for SIGINT, 143
/// for SIGTERM.
enum Interruption {
  private static let ignoresInterrupts = Atomic<Bool>(false)

  /// Makes the process continue after Ctrl-C and Ctrl-\, which then end only the programs that it
  /// runs.
  static func ignoreInterrupts() { ignoresInterrupts.store(true, ordering: .relaxed) }

  /// Starts to wait for signals on a thread of its own. (`sigwait`)
  ///
  /// The function is called before the process has other threads, because all threads must block
  /// the signals. A signal that the parent process ignores, as `nohup` does, stays ignored.
  static func handle() {
    var signals = sigset_t()
    sigemptyset(&signals)
    // The Swift runtime would report SIGQUIT as a crash of the program.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !Platform.isIgnored(signal: number) {
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.detachNewThread { [signals] in
      var signals = signals
      while true {
        var number: Int32 = 0
        guard sigwait(&signals, &number) == 0 else { continue }
        if [SIGINT, SIGQUIT].contains(number), ignoresInterrupts.load(ordering: .relaxed) {
          if number == SIGINT { InputPrompt.show() }
          continue
        }
        // A pager handles Ctrl-C itself, and the user may read on.
        if number == SIGINT, !Pager.endAfterInterruption() { continue }
        ForegroundCommand.end(by: number) {
          Console.end {
            TerminalEcho.restore()
            TerminalModes.restore()
            TemporaryItems.removeAll()
            end(by: number)
          }
        }
      }
    }
  }

  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    kill(getpid(), number)
    _exit(128 + number)
  }
}
