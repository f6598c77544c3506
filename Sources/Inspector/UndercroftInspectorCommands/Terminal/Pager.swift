import Foundation
import Synchronization

/// A program that shows long text on the terminal page by page.
struct Pager {
  /// The end of the pipe from which the program reads.
  let input: Int32
  private let program: ProgramRun

  /// The process identifier of the pager, 0 if there is none, and negative after the command has
  /// written everything.
  private static let running = Atomic<pid_t>(0)
  /// Whether the user has pressed Ctrl-C while the command was writing.
  private static let isInterrupted = Atomic<Bool>(false)

  /// The command that shows long text. (`PAGER`)
  static var command: String { EnvironmentVariable.value(of: "PAGER") ?? "less" }

  /// Starts the program of the variable `PAGER`, which is `less` by default.
  ///
  /// - Returns: the pager, or `nil` if the user wants none or the program does not exist.
  static func start() -> Pager? {
    let command = command
    guard !["", "cat"].contains(command.trimmingCharacters(in: .whitespaces)), exists(command)
    else { return nil }
    var pipe: [Int32] = [-1, -1]
    guard Foundation.pipe(&pipe) == 0 else { return nil }
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(pipe[0]) }
    // The text may be coloured, and a text that fits the screen needs no pager.
    setenv("LESS", "FRX", 0)
    setenv("LV", "-c", 0)
    guard let program = try? ProgramRun("/bin/sh", ["-c", command], input: pipe[0]) else {
      close(pipe[1])
      return nil
    }
    running.store(program.process, ordering: .sequentiallyConsistent)
    return Pager(input: pipe[1], program: program)
  }

  /// Ends the input of the pager, and waits until the user has left it.
  func finish() {
    Self.running.store(-program.process, ordering: .sequentiallyConsistent)
    close(input)
    program.wait()
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
      ProgramRun(process: process).wait()
    }
    return true
  }

  /// Returns whether the first word of a command is a program, or is not a plain word.
  private static func exists(_ command: String) -> Bool {
    guard let program = program(of: command) else { return false }
    let isPlain = program.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_./+".unicodeScalars.contains($0)
    }
    return !isPlain || ProgramRun.location(of: program) != nil
  }

  /// Returns the first word of a command that is not an assignment, which a shell accepts before
  /// the program.
  static func program(of command: String) -> Substring? {
    command.split(separator: " ").first { !$0.contains("=") }
  }
}
