import Foundation
import Synchronization
import UndercroftCore
import UndercroftInspection

/// Standard output and standard error, which the threads of the process share.
///
/// On a terminal, text that is longer than the screen is passed to a pager. The status line is the
/// last line of the terminal, and is erased before other text is written.
enum Console {
  /// The way in which text reaches standard output.
  private enum Destination {
    /// The text is written at once.
    case direct
    /// The text is stored until it is longer than the screen.
    case stored(Screen)
    /// The text is written to a pager.
    case paged(Pager)
  }

  private struct State {
    var destination = Destination.direct
    /// The notes that are written when the user has left the pager.
    var notes = Data()
    var hasStatus = false

    /// Returns the state before the first output.
    ///
    /// The function is not inlined: with optimisation, Swift 6.3.1 initialises a static mutex at
    /// compile time, and then omits the case of an enumeration that is beside a `Data`. Every
    /// command of a release build trapped at its first output.
    @inline(never)
    static func initial() -> State { State() }
  }

  private static let state = Mutex(State.initial())

  /// The error of a write to a pipe whose reader has closed it, as `head` does. (`EPIPE`)
  ///
  /// The command then ends without an error, because no more output is needed.
  struct BrokenPipe: Error {}

  /// Stores the following output until it is longer than the screen, if a pager may show it.
  static func beginPaging() {
    guard Terminal.settings.allowsPager, Terminal.isOutput, !Terminal.isDumb,
      let size = Terminal.size(of: STDOUT_FILENO)
    else { return }
    state.withLock { state in
      state.destination = .stored(Screen(columns: size.columns, lines: size.lines))
    }
  }

  /// Writes the stored output, waits until the user has left the pager, and writes the notes.
  static func endPaging() throws {
    // The lock is not held while the user reads, because a signal must still end the process.
    let pager = try state.withLock { state throws -> Pager? in
      defer { state.destination = .direct }
      switch state.destination {
      case .direct: return nil
      case .stored(let screen):
        try write(screen.text, STDOUT_FILENO, &state)
        return nil
      case .paged(let pager): return pager
      }
    }
    pager?.finish()
    state.withLock { state in
      try? write(state.notes, STDERR_FILENO, &state)
      state.notes = Data()
    }
  }

  /// Writes bytes unchanged to standard output, or to the pager.
  static func write(_ bytes: Data) throws {
    try state.withLock { state throws in
      switch state.destination {
      case .direct: try write(bytes, STDOUT_FILENO, &state)
      case .paged(let pager): try write(bytes, pager.input, &state)
      case .stored(var screen):
        guard screen.add(bytes) else {
          state.destination = .stored(screen)
          return
        }
        let pager = Pager.start()
        if pager != nil { eraseStatus(&state) }
        state.destination = pager.map { Destination.paged($0) } ?? .direct
        try write(screen.text, pager?.input ?? STDOUT_FILENO, &state)
      }
    }
  }

  /// Writes a line to standard error, after the user has left the pager.
  static func note(_ line: String) {
    state.withLock { state in
      let bytes = Data((line + "\n").utf8)
      if case .direct = state.destination {
        try? write(bytes, STDERR_FILENO, &state)
      } else {
        state.notes += bytes
      }
    }
  }

  // MARK: Status

  /// Shows a text as the status line, unless a pager shows the output.
  ///
  /// - Parameter text: a closure that returns the text, or `nil` if the status line must not be
  ///   shown any more.
  static func showStatus(_ text: () -> String?) {
    state.withLock { state in
      if case .paged = state.destination { return }
      guard let text = text() else { return }
      // The last column stays free, because some terminals wrap a line that fills it.
      let columns = (Terminal.size(of: STDERR_FILENO)?.columns ?? 80) - 1
      let line = "\r" + DisplayWidth.truncated(text, to: columns) + "\u{1b}[K"
      state.hasStatus = true
      try? writeAll(Data(line.utf8), STDERR_FILENO)
    }
  }

  /// Erases the status line if it is shown.
  static func eraseStatus() { state.withLock { eraseStatus(&$0) } }

  private static func eraseStatus(_ state: inout State) {
    guard state.hasStatus else { return }
    state.hasStatus = false
    try? writeAll(Data("\r\u{1b}[K".utf8), STDERR_FILENO)
  }

  /// Runs `body`, which ends the process, after the present write has ended.
  ///
  /// A write to a terminal that the user has stopped does not end. `body` therefore runs in any
  /// case after half a second.
  static func end(_ body: () -> Void) {
    for _ in 0..<50 {
      let hasRun: Void? = state.withLockIfAvailable { state in
        eraseStatus(&state)
        body()
      }
      if hasRun != nil { return }
      usleep(10_000)
    }
    body()
  }

  // MARK: Writing

  private static func write(
    _ bytes: Data, _ descriptor: Int32, _ state: inout State
  ) throws {
    if isatty(descriptor) == 1 { eraseStatus(&state) }
    try writeAll(bytes, descriptor)
  }

  /// Writes all bytes to a file descriptor. (`write`)
  ///
  /// - Throws: ``BrokenPipe`` if the reader has closed the pipe, and an ``OutputFailure`` if not
  ///   all bytes can be written, such as on a full disk, because a truncated output would be wrong.
  private static func writeAll(_ bytes: Data, _ descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE: throw BrokenPipe()
      case EAGAIN:
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      case let number:
        let reason = String(cString: strerror(number)).lowercased()
        throw OutputFailure(
          error: StorageError(
            .io, "cannot write to standard output: \(reason)",
            suggestion: """
              redirect standard output to a terminal, a program or a file on a disk with free \
              space, and repeat the command
              """))
      }
    }
  }
}
