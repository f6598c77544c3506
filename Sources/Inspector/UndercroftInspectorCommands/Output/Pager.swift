import Foundation
import Synchronization

/// A program that shows long text on the terminal page by page.
struct Pager {
  /// The end of the pipe from which the program reads.
  let input: Int32
  private let process: pid_t

  /// The process identifier of the pager, 0 if there is none, and negative after the command has
  /// written everything.
  private static let running = Atomic<pid_t>(0)
  /// Whether the user has pressed Ctrl-C while the command was writing.
  private static let isInterrupted = Atomic<Bool>(false)

  /// Starts the program of the variable `PAGER`, which is `less` by default.
  ///
  /// - Returns: the pager, or `nil` if the user wants none or the program does not exist.
  static func start() -> Pager? {
    let command = Terminal.variable("PAGER") ?? "less"
    guard !["", "cat"].contains(command.trimmingCharacters(in: .whitespaces)), exists(command)
    else { return nil }
    var pipe: [Int32] = [-1, -1]
    guard Foundation.pipe(&pipe) == 0 else { return nil }
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(pipe[0]) }
    guard let process = spawn(command, input: pipe[0]) else {
      close(pipe[1])
      return nil
    }
    running.store(process, ordering: .sequentiallyConsistent)
    return Pager(input: pipe[1], process: process)
  }

  /// Ends the input of the pager, and waits until the user has left it.
  func finish() {
    Self.running.store(-process, ordering: .sequentiallyConsistent)
    close(input)
    Self.wait(for: process)
    // The thread that waits for signals ends the process.
    while Self.isInterrupted.load(ordering: .sequentiallyConsistent) { pause() }
    Self.running.store(0, ordering: .sequentiallyConsistent)
  }

  /// Returns whether Ctrl-C ends the process, after the user has left the pager if there is one.
  ///
  /// If the command has already written everything, Ctrl-C concerns only the pager.
  static func endAfterInterruption() -> Bool {
    let process = running.load(ordering: .sequentiallyConsistent)
    if process < 0 { return false }
    if process > 0 {
      isInterrupted.store(true, ordering: .sequentiallyConsistent)
      wait(for: process)
    }
    return true
  }

  private static func wait(for process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  // MARK: Starting

  /// Returns whether the first word of a command is a program, or is no plain word.
  private static func exists(_ command: String) -> Bool {
    let words = command.split(separator: " ")
    // A shell accepts assignments before the program.
    guard let program = words.first(where: { !$0.contains("=") }) else { return false }
    let isPlain = program.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_./+".unicodeScalars.contains($0)
    }
    guard isPlain else { return true }
    if program.contains("/") { return access(String(program), X_OK) == 0 }
    let folders = (Terminal.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// Runs a command with a shell. (`posix_spawn`)
  ///
  /// The command stays in the process group of this process, because a pager reads the keyboard.
  private static func spawn(_ command: String, input: Int32) -> pid_t? {
    var environment = ProcessInfo.processInfo.environment
    // The text may be coloured, and a text that fits the screen needs no pager.
    if environment["LESS"] == nil { environment["LESS"] = "FRX" }
    if environment["LV"] == nil { environment["LV"] = "-c" }
    var files = SpawnFiles()
    var attributes = SpawnAttributes()
    posix_spawn_file_actions_init(&files)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&files)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO)
    // This process ignores SIGPIPE and blocks the signals that it waits for.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in
      strdup(word)
    }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    arguments.append(nil)
    variables.append(nil)
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    guard posix_spawn(&process, "/bin/sh", &files, &attributes, &arguments, &variables) == 0 else {
      return nil
    }
    return process
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
