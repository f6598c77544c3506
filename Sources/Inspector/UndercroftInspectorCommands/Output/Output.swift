import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The output of commands, and the conversion of errors to messages and exit codes.
enum Output {
  /// Writes text and a line break to standard output.
  static func text(_ text: String) throws { try bytes(Data((text + "\n").utf8)) }

  /// Writes bytes unchanged to standard output, or to the pager.
  ///
  /// - Throws: an error if not all bytes can be written, such as on a full disk, because a
  ///   truncated output would be wrong.
  static func bytes(_ bytes: Data) throws { try Console.write(bytes) }

  /// Writes a message to standard error, unless the user wants no notes.
  static func note(_ text: String) {
    if !Terminal.settings.isQuiet { Console.note("undercroft: \(shown(text))") }
  }

  /// Writes an error as a sentence to standard error.
  static func error(_ text: String) {
    let name = TextStyle.error.applied(to: "undercroft:", on: STDERR_FILENO)
    Console.note("\(name) \(shown(text))")
  }

  /// Returns a message as it is shown, with the path of a store instead of that of its copy.
  private static func shown(_ text: String) -> String {
    ValueText.safe(SnapshotFolder.shared.namingStores(in: text))
  }

  /// The end of a command whose exit status is 1 because of its result, such as differences.
  ///
  /// If the error of a store is a failure, the exit status is that of the error.
  struct Ending: Error {
    /// The errors of the stores that could not be read.
    let problems: [Problem]
  }

  /// Runs a command, and converts its errors to messages on standard error and an exit code.
  ///
  /// - Parameters:
  ///   - format: the format of the output; errors are JSON if the output is JSON.
  ///   - isPaged: whether a pager may show the output, which is then written at the end.
  ///   - body: a closure that writes the output, and returns the errors of the stores that could
  ///     not be read, or throws an ``Ending``.
  /// - Throws: an `ExitCode`, unless the command succeeds or the reader of the output has closed
  ///   the pipe. Errors of other types than those of this tool are rethrown.
  static func run(
    _ format: OutputFormat = .auto, isPaged: Bool = true, _ body: () throws -> [Problem]
  ) throws {
    // A reader such as `head` may close the pipe. Writing must then fail with `EPIPE`, even if the
    // parent process has changed the signal's action.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the file size limit (`ulimit -f`) must fail with `EFBIG`, so that the command
    // reports it and removes its temporary items.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let problems = try removingTemporaryItems {
        try paged(isPaged && format != .raw, body)
      }
      try end(problems, in: format)
    } catch is Console.BrokenPipe {
      return
    } catch let ending as Ending {
      try end(ending.problems, in: format)
      throw ExitCode(1)
    } catch let problems as Problems {
      report(problems.all, in: format)
      throw ExitCode(status(of: problems.all) ?? EX_NOINPUT)
    } catch let failure as OutputFailure {
      report(failure.error, in: format)
      throw ExitCode(status(of: failure.error.code))
    } catch let error as StorageError {
      report(error.suggestingOptions, in: format)
      throw ExitCode(error.underlying is EditRun.Conflict ? 1 : status(of: error.code))
    }
  }

  /// Reports errors of stores and paths, and throws the `ExitCode` of the worst failure.
  private static func end(_ problems: [Problem], in format: OutputFormat) throws {
    report(problems, in: format)
    if let status = status(of: problems) { throw ExitCode(status) }
  }

  private static func removingTemporaryItems<Result>(
    _ body: () throws -> Result
  ) rethrows -> Result {
    defer { TemporaryItems.removeAll() }
    return try body()
  }

  /// Runs `body`, and then waits until the user has left the pager.
  private static func paged<Result>(_ isPaged: Bool, _ body: () throws -> Result) throws -> Result {
    guard isPaged else { return try body() }
    Console.beginPaging()
    do {
      let result = try body()
      try Console.endPaging()
      return result
    } catch {
      // The output before the error is shown, and the error of the command is reported.
      try? Console.endPaging()
      throw error
    }
  }

  /// Writes the errors of stores and paths to standard error.
  static func report(_ problems: [Problem], in format: OutputFormat) {
    for problem in problems.lazy.map(\.suggestingOptions) {
      if format.isJSON {
        if !problem.isFailure, Terminal.settings.isQuiet { continue }
        let path = problem.store?.path ?? problem.target
        noteJSON(problem.error, kind: problem.store?.kind, path: path, target: problem.target)
      } else if problem.isFailure {
        error(problem.sentence)
      } else {
        note(problem.sentence)
      }
    }
  }

  /// Writes an error as one line to standard error: as JSON if the output is JSON, and otherwise as
  /// a sentence.
  static func report(_ error: StorageError, in format: OutputFormat) {
    if format.isJSON { noteJSON(error, kind: nil, path: nil) } else { self.error("\(error)") }
  }

  /// Writes an error as one line of JSON to standard error.
  private static func noteJSON(
    _ error: StorageError, kind: String?, path: String?, target: String? = nil
  ) {
    let snapshots = SnapshotFolder.shared
    let members: [ExactString: ResultValue] = [
      "code": .text(error.code.rawValue),
      "message": .text(snapshots.namingStores(in: error.failure)),
      "suggestion": ResultValue(error.suggestion.map { snapshots.namingStores(in: $0) }),
      "backend": ResultValue(error.backend),
      "kind": ResultValue(kind), "path": ResultValue(path), "target": ResultValue(target),
    ]
    Console.note(ResultValue.object(["error": .object(members)]).json)
  }

  /// The exit statuses of problems, the worst first.
  private static let statuses = [EX_DATAERR, EX_IOERR, EX_NOPERM, EX_TEMPFAIL, EX_NOINPUT]

  /// Returns the exit status of the worst problem, or `nil` if no problem is a failure.
  static func status(of problems: [Problem]) -> Int32? {
    let failures = Set(problems.lazy.filter(\.isFailure).map { status(of: $0.error.code) })
    return statuses.first { failures.contains($0) }
  }

  /// Returns the exit status for an error with a code. (`sysexits`)
  static func status(of code: StorageError.Code) -> Int32 {
    switch code {
    case .corrupted, .decodingFailed, .notSupported, .tooLarge, .misuse: EX_DATAERR
    case .unavailable, .invalidKey: EX_NOINPUT
    case .accessDenied, .insecurePermissions, .locked, .wrongKey: EX_NOPERM
    case .busy, .interrupted: EX_TEMPFAIL
    default: EX_IOERR
    }
  }
}
