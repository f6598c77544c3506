import Foundation
import Synchronization
import TestSupport

/// A program that a test operates through a pseudo-terminal, as a user does.
final class ShellSession: Sendable {
  /// The error for a text that the program did not write in time.
  struct Missing: Error {
    let text: String
    let output: String
  }

  private let controller: Int32
  private let process: pid_t
  private let output = Mutex("")
  /// The end of the part of the output that was expected already, in scalars.
  private let position = Mutex(0)

  /// Starts a program whose controlling terminal is the pseudo-terminal. (`openpty`)
  init(_ program: Program, _ arguments: [String], environment: [String: String] = [:]) throws {
    var ends: (controller: Int32, terminal: Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 256)
    guard openpty(&ends.controller, &ends.terminal, &path, nil, nil) == 0 else {
      throw POSIXError(.EIO)
    }
    controller = ends.controller
    defer { close(ends.terminal) }
    _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.terminal, F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens becomes its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let newSession: Int16 = 0x80
    // The threads that run tests block signals, and a program inherits that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    let variables = ProcessInfo.processInfo.environment
      .merging(["TERM": "xterm"]) { _, new in new }.merging(environment) { _, new in new }
    var words = ([program.path] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var id: pid_t = 0
    guard posix_spawn(&id, program.path, &actions, &attributes, &words, &settings) == 0 else {
      throw POSIXError(.ENOENT)
    }
    process = id
    Thread.detachNewThread { self.read() }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Foundation.read(controller, &buffer, buffer.count)
      guard count > 0 else { return }
      output.withLock { $0 += String(decoding: buffer.prefix(count), as: UTF8.self) }
    }
  }

  /// All that the program has written.
  var text: String { output.withLock { $0 } }

  /// Types a text, in which a carriage return is the return key.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// Waits until the program has written a text after the last expected one.
  func expect(_ text: String) throws {
    let end = ContinuousClock.now + .hangLimit
    while true {
      let found = position.withLock { position in
        let rest = self.text.unicodeScalars.dropFirst(position)
        guard let range = rest.firstRange(of: Array(text.unicodeScalars)) else { return false }
        position += rest.distance(from: rest.startIndex, to: range.upperBound)
        return true
      }
      if found { return }
      guard ContinuousClock.now < end else { throw Missing(text: text, output: self.text) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Waits for the end of the program, and returns its exit status.
  func status() throws -> Int32 {
    let end = ContinuousClock.now + .hangLimit
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      guard ContinuousClock.now < end else {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        throw Missing(text: "end of the program", output: text)
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return (status >> 8) & 0xff
  }
}
