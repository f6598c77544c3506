package import Foundation
import Synchronization

/// A program that runs on a pseudo-terminal, as if a user had started it from a shell.
package final class PseudoTerminal: Sendable {
  /// The error for a terminal that cannot be opened, or a program that cannot be started.
  package struct Failure: Error {
    package let call: String
    package let number: Int32
  }

  /// The error for a text that the program did not write in time.
  package struct Missing: Error {
    package let text: String
    package let output: String
  }

  /// The size of the screen.
  package struct Size: Sendable {
    package let columns: UInt16
    package let lines: UInt16

    package init(columns: UInt16, lines: UInt16) {
      self.columns = columns
      self.lines = lines
    }
  }

  /// The process identifier of the program, which leads a session of its own.
  package let process: pid_t
  private let controller: Int32
  private let expected = Mutex("")

  /// Starts a program with the terminal as its standard input, standard output and standard error.
  ///
  /// - Parameters:
  ///   - environment: the complete environment of the program.
  ///   - errors: a file that receives standard error instead of the terminal, or `nil`.
  package init(
    _ program: Program, _ arguments: [String], size: Size = Size(columns: 80, lines: 24),
    environment: [String: String] = [:], errors: String? = nil
  ) throws {
    var (controller, terminal): (Int32, Int32) = (-1, -1)
    var window = winsize()
    (window.ws_col, window.ws_row) = (size.columns, size.lines)
    guard openpty(&controller, &terminal, nil, nil, &window) == 0,
      case var buffer = [CChar](repeating: 0, count: 128),
      ttyname_r(terminal, &buffer, buffer.count) == 0
    else { throw Failure(call: "openpty", number: errno) }
    defer { close(terminal) }
    for descriptor in [controller, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.controller = controller
    process = try Self.spawn(
      program.path, arguments, terminal: buffer, errors: errors,
      environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"].merging(environment) { $1 })
  }

  deinit { close(controller) }

  /// Writes what the user types.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// Returns the text that the program has written since the last call, up to and including `text`.
  ///
  /// - Returns: the text, which does not end with `text` if the program has ended or the time limit
  ///   was reached.
  package func read(until text: String, within limit: Duration = .hangLimit) -> String {
    let wanted = Array(text.utf8)
    var output: [UInt8] = []
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, let byte = nextByte(until: end) {
      output.append(byte)
      if output.suffix(wanted.count).elementsEqual(wanted) { break }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Waits until the program has written a text after the last expected one.
  package func expect(_ text: String) throws {
    let output = read(until: text)
    let all = expected.withLock { expected in
      expected += output
      return expected
    }
    guard output.utf8.reversed().starts(with: text.utf8.reversed()) else {
      throw Missing(text: text, output: all)
    }
  }

  /// The output up to the text that was expected last.
  package var text: String { expected.withLock { $0 } }

  /// Types a text again and again until the program ends, and returns its exit status.
  ///
  /// A program that changes the mode of the terminal can discard what was typed before.
  package func statusAfterTyping(_ text: String, within limit: Duration = .hangLimit) -> Int32 {
    let end = ContinuousClock.now + limit
    while !hasEnded(), ContinuousClock.now < end {
      type(text)
      _ = read(until: "\u{0}", within: .milliseconds(300))
    }
    return status()
  }

  /// Waits for the end of the program, and returns its exit status.
  package func status() -> Int32 { result().status }

  /// Reads the rest of the output, and waits for the end of the program.
  ///
  /// The output has the line feeds of the program, to which the terminal adds carriage returns.
  package func result(within limit: Duration = .hangLimit) -> ProgramResult {
    var output: [UInt8] = []
    let end = ContinuousClock.now + limit
    while let byte = nextByte(until: end) { output.append(byte) }
    if !hasEnded() { kill(process, SIGKILL) }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let number = status & 0x7f
    return ProgramResult(
      status: number == 0 ? (status >> 8) & 0xff : number, wasKilledBySignal: number != 0,
      output: String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n"), errors: "")
  }

  /// Returns the next byte of the output, or `nil` after the end of the program.
  ///
  /// Another process may have inherited the terminal, so the end of the program is the end of the
  /// output.
  private func nextByte(until end: ContinuousClock.Instant) -> UInt8? {
    while ContinuousClock.now < end {
      let isLast = hasEnded()
      var poll = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
      guard Foundation.poll(&poll, 1, isLast ? 0 : 50) > 0 else {
        if isLast { return nil }
        continue
      }
      var byte: UInt8 = 0
      return Foundation.read(controller, &byte, 1) == 1 ? byte : nil
    }
    return nil
  }

  /// Returns whether the program has ended. (`waitid`)
  private func hasEnded() -> Bool {
    var information = siginfo_t()
    let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    return result == 0 && information.si_signo == SIGCHLD
  }

  /// Whether the terminal shows what the user types.
  package var hasEcho: Bool { localModes & tcflag_t(ECHO) != 0 }

  /// Whether the terminal passes complete lines to programs.
  package var passesLines: Bool { localModes & tcflag_t(ICANON) != 0 }

  /// Whether the terminal sends signals for keys such as Ctrl-C.
  package var sendsSignals: Bool { localModes & tcflag_t(ISIG) != 0 }

  /// The modes of the terminal that concern the keyboard. (`tcgetattr`)
  private var localModes: tcflag_t {
    var attributes = termios()
    tcgetattr(controller, &attributes)
    return attributes.c_lflag
  }

  /// The flag `POSIX_SPAWN_SETSID`, which the C library declares only as an extension.
  #if canImport(Darwin)
    private static let newSession: Int16 = 0x400
  #else
    private static let newSession: Int16 = 0x80
  #endif

  /// Starts the program as the leader of a session, whose first terminal becomes the terminal that
  /// sends signals for Ctrl-C. (`POSIX_SPAWN_SETSID`)
  private static func spawn(
    _ path: String, _ arguments: [String], terminal: [CChar], errors: String?,
    environment: [String: String]
  ) throws -> pid_t {
    var files = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO)
    if let errors {
      posix_spawn_file_actions_addopen(
        &files, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO)
    }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes,
      newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var words = ([path] + arguments).map { (word: String) in strdup(word) }
    var variables = environment.map { strdup("\($0)=\($1)") }
    words.append(nil)
    variables.append(nil)
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let number = posix_spawn(&process, path, &files, &attributes, &words, &variables)
    guard number == 0 else { throw Failure(call: "posix_spawn", number: number) }
    return process
  }
}
