import Foundation
import UndercroftCore

/// A program that this process has started, and that uses the terminal of this process.
struct ProgramRun {
  /// The identifier of the process.
  let process: pid_t
}

extension ProgramRun {
  /// Starts a program in the process group of this process, because the program reads the keyboard.
  /// (`posix_spawnp`)
  ///
  /// - Parameters:
  ///   - program: the path of the program, or its name in the search path.
  ///   - arguments: the arguments after the name of the program.
  ///   - input: the file descriptor that becomes the standard input, or `nil` for the standard
  ///     input of this process.
  /// - Throws: ``StorageError/Code/unavailable`` with a `SystemError` as the cause if the program
  ///   cannot be started.
  init(_ program: String, _ arguments: [String], input: Int32? = nil) throws(StorageError) {
    var files = SpawnFiles()
    var attributes = SpawnAttributes()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    if let input { posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO) }
    // This process ignores SIGPIPE and SIGXFSZ, and blocks the signals that it waits for.
    var (none, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let number = posix_spawnp(&process, program, &files, &attributes, &words, environ)
    guard number == 0 else {
      let cause = SystemError(number: number)
      throw StorageError(
        .unavailable, "cannot run \(quoted(program)): \(cause.description.lowercased())",
        suggestion: number == E2BIG
          ? "shorten the arguments, or remove long variables from the environment"
          : "check that the program is installed and can be executed",
        underlying: cause)
    }
    self.init(process: process)
  }

  /// Waits for the end of the program, and returns its exit status, or 128 and the number of the
  /// signal that ended it.
  @discardableResult func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Waits for the end of the program, whose process identifier remains valid. (`waitid`)
  func waitWithoutRelease() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
  }

  /// Whether the program has ended. (`waitid`)
  var hasEnded: Bool {
    var information = siginfo_t()
    let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    return result == 0 && information.si_signo == SIGCHLD
  }

  /// The path of the program of this process.
  static var ownPath: String {
    Bundle.main.executablePath ?? CommandLine.arguments.first ?? "undercroft"
  }

  /// Returns the path of a program that can be run, or `nil` if there is none.
  ///
  /// - Parameter program: the path of the program, or its name in the search path. (`PATH`)
  static func location(of program: some StringProtocol) -> String? {
    let folders = (EnvironmentVariable.text(of: "PATH") ?? "/usr/bin:/bin").split(separator: ":")
    let paths =
      program.contains("/") ? [String(program)] : folders.map { "\($0)/\(program)" }
    return paths.first { access($0, X_OK) == 0 }
  }
}

// The types of Darwin are pointers.
#if canImport(Darwin)
  private func SpawnFiles() -> posix_spawn_file_actions_t? { nil }
  private func SpawnAttributes() -> posix_spawnattr_t? { nil }
#else
  private typealias SpawnFiles = posix_spawn_file_actions_t
  private typealias SpawnAttributes = posix_spawnattr_t
#endif
