import Foundation
import UndercroftCore

/// A run of a program that uses the terminal of this process.
enum ProgramRun {
  /// Runs a program, waits for its end, and returns its exit status, or 128 and the number of the
  /// signal that ended it. (`posix_spawnp`)
  ///
  /// - Parameters:
  ///   - program: the path of the program, or its name in the search path.
  ///   - arguments: the arguments after the name of the program.
  ///   - input: the file descriptor that becomes the standard input, or `nil` for the standard
  ///     input of this process.
  /// - Throws: ``StorageError/Code/unavailable`` if the program cannot be started.
  static func status(
    of program: String, _ arguments: [String], input: Int32? = nil
  ) throws(StorageError) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This process may ignore signals that must end the program.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    let number = posix_spawnp(&id, program, &actions, &attributes, &words, environ)
    guard number == 0 else {
      throw StorageError(
        .unavailable,
        "cannot run \(quoted(program)): \(String(cString: strerror(number)).lowercased())",
        suggestion: "check that the program is installed and can be executed")
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// The path of the program of this process.
  static var ownPath: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }
}
