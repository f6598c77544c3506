import Foundation
import Synchronization
import UndercroftCore

/// The command that the shell runs, which a signal that ends the shell ends too.
enum ForegroundCommand {
  /// The process identifier of the running command, or `nil` if there is none.
  private static let running = Mutex<pid_t?>(nil)
  /// The time in milliseconds that a command gets to end after a signal.
  private static let timeLimit = 2_000

  /// Runs a command to its end, and returns its exit status, or 128 and the number of the signal
  /// that ended it.
  ///
  /// - Parameter input: the file descriptor that becomes the standard input, or `nil` for the
  ///   standard input of this process.
  /// - Throws: ``StorageError/Code/misuse`` if the arguments are longer than the system permits,
  ///   and other errors of starting the program.
  static func run(_ arguments: [String], input: Int32?) throws(StorageError) -> Int32 {
    let program = try running.withLock { (running) throws(StorageError) in
      let started = try start(arguments, input)
      running = started.process
      return started
    }
    // The identifier remains valid until `wait`, so that a signal reaches no other process.
    program.waitWithoutRelease()
    running.withLock { $0 = nil }
    return program.wait()
  }

  private static func start(
    _ arguments: [String], _ input: Int32?
  ) throws(StorageError) -> ProgramRun {
    do throws(StorageError) {
      return try ProgramRun(ProgramRun.ownPath, arguments, input: input)
    } catch {
      guard let cause = error.underlying as? SystemError, cause.number == E2BIG else { throw error }
      throw StorageError(
        .misuse, "cannot run the line: the line is too long for the arguments of a program",
        suggestion: "shorten the line, or pass a long value in a file, as set --file does",
        underlying: cause)
    }
  }

  /// Ends the running command by a signal, waits until it has ended, and then calls `body`, which
  /// ends this process.
  ///
  /// The shell cannot show another prompt meanwhile, because ``run(_:input:)`` waits for the lock.
  static func end(by signal: Int32, _ body: () -> Void) {
    running.withLock { running in
      if let process = running {
        kill(process, signal)
        // A stopped process receives the signal when it continues.
        kill(process, SIGCONT)
        for _ in 0..<timeLimit / 10 where !ProgramRun(process: process).hasEnded { usleep(10_000) }
      }
      body()
    }
  }
}
