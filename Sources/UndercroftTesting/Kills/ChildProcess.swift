package import UndercroftCore
import UndercroftFileSystem

/// A running program whose standard output is read by this process.
///
/// The program is killed when this value is destroyed.
package struct ChildProcess: ~Copyable {
  private let id: pid_t
  private let output: Int32

  /// Starts a program.
  ///
  /// This process reads the standard output of the program. The program
  /// inherits the standard error of this process. (`posix_spawn`)
  package init(_ command: [String]) throws(StorageError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .system("create a pipe for the output of", command.first ?? "")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A signal mask inherited from this process could block the signals that end the child.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, command.first ?? "", &actions, &attributes, &arguments, environ)
    guard result == 0 else {
      close(ends[0])
      throw .starting(command.first ?? "", number: result)
    }
    self.id = id
    self.output = ends[0]
  }

  /// Returns the next bytes of the output, after waiting for at most `timeout`.
  ///
  /// Returns an empty array if no bytes arrive within
  /// `timeout`, and `nil` at the end of the output. (`poll`)
  package func read(timeout: Duration) -> [UInt8]? {
    var poller = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let milliseconds = max(0, timeout / .milliseconds(1))
    guard poll(&poller, 1, Int32(min(milliseconds.rounded(.up), 60_000))) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = UndercroftFileSystem.read(output, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Kills the program immediately. (`SIGKILL`)
  package func kill() {
    _ = UndercroftFileSystem.kill(id, SIGKILL)
  }

  /// Waits for the end of the program and returns whether it was killed. (`waitpid`)
  package consuming func wasKilled() -> Bool {
    status() & 0x7f == SIGKILL
  }

  /// Waits for the end of the program and returns its wait status, which is 0 if the program exited
  /// successfully. (`waitpid`)
  package consuming func status() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    close(output)
    discard self
    return status
  }

  /// Returns a wait status in words, such as "status 2" or "signal 9".
  package static func describe(waitStatus status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "status \(status >> 8)" : "signal \(signal)"
  }

  /// Reads until the program closes its output, and returns all lines.
  package func lines() -> [String] {
    var output: [UInt8] = []
    while let bytes = read(timeout: .seconds(60)) { output += bytes }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  deinit {
    kill()
    var status: Int32 = 0
    waitpid(id, &status, 0)
    close(output)
  }
}

extension StorageError {
  /// Returns the error of `posix_spawn` for the program at `path`.
  ///
  /// `EAGAIN` means that a limit for processes is reached, and not that a file is in use.
  package static func starting(_ path: String, number: Int32) -> StorageError {
    let error = StorageError.system("start", path, number: number)
    guard number == EAGAIN else { return error }
    return StorageError(
      .unavailable,
      "cannot start \(quoted(path)): a limit on the number of processes is reached",
      suggestion: """
        end other processes, or raise the limit of the user (ulimit -u), of the container or of \
        the system
        """,
      underlying: error.underlying)
  }
}
