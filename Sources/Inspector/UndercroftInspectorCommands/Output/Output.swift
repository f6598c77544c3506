import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// The output of commands, and the conversion of errors to messages and exit codes.
enum Output {
  /// Writes text and a line break to standard output.
  static func text(_ text: String) throws { try bytes(Data((text + "\n").utf8)) }

  /// Writes bytes unchanged to standard output (`write`).
  ///
  /// - Throws: an error if not all bytes can be written, such as
  ///   on a full disk, because a truncated output would be wrong.
  static func bytes(_ bytes: Data) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE: throw ReaderLeft()
      case EAGAIN:
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      case let number:
        throw StorageError(
          .io,
          "cannot write to standard output: \(String(cString: strerror(number)).lowercased())",
          suggestion: """
            redirect standard output to a terminal, a program or a file on a disk with free space, \
            and repeat the command
            """)
      }
    }
  }

  /// Writes a message to standard error.
  static func note(_ text: String) {
    try? FileHandle.standardError.write(
      contentsOf: Data("undercroft: \(ValueText.safe(text))\n".utf8))
  }

  /// Runs a command, and converts its errors to messages on standard error and an exit code.
  ///
  /// - Parameters:
  ///   - format: the format of the output; errors are JSON if the output is JSON.
  ///   - body: a closure that writes the output, and returns the errors of the stores that could
  ///     not be read.
  /// - Throws: an `ExitCode`, unless the command succeeds or the reader of the
  ///   output has closed the pipe. Other errors than ``StorageError`` are rethrown.
  static func run(_ format: OutputFormat = .auto, _ body: () throws -> [Problem]) throws {
    // A reader such as `head` may close the pipe. Writing must then fail with
    // `EPIPE`, even if the parent process has changed the signal's action.
    signal(SIGPIPE, SIG_IGN)
    do {
      let problems = try removingTemporaryFolders(body)
      for problem in problems {
        report(
          Problem(store: problem.store, error: problem.error.suggestingOptions), in: format)
      }
      if let worst = problems.first(where: \.isFailure) {
        throw ExitCode(status(of: worst.error.code))
      }
    } catch is ReaderLeft {
      return
    } catch let error as StorageError {
      report(error.suggestingOptions, in: format)
      throw ExitCode(status(of: error.code))
    }
  }

  private static func removingTemporaryFolders<Result>(
    _ body: () throws -> Result
  ) rethrows -> Result {
    // If a signal is ending the process, this call does not return, so that no error is reported
    // about files that were removed because of the signal.
    defer { TemporaryFolder.removeAll() }
    return try body()
  }

  private static func report(_ problem: Problem, in format: OutputFormat) {
    guard format.isJSON else { return note(problem.sentence) }
    noteJSON(problem.error, kind: problem.store.kind, path: problem.store.path)
  }

  /// Writes an error as one line to standard error: as JSON if the output is JSON, and otherwise as
  /// a sentence.
  static func report(_ error: StorageError, in format: OutputFormat) {
    if format.isJSON { noteJSON(error, kind: nil, path: nil) } else { note("\(error)") }
  }

  /// Writes an error as one line of JSON to standard error.
  private static func noteJSON(_ error: StorageError, kind: String?, path: String?) {
    let members: [ExactString: ResultValue] = [
      "code": .text(error.code.rawValue), "message": .text(error.failure),
      "suggestion": ResultValue(error.suggestion), "backend": ResultValue(error.backend),
      "kind": ResultValue(kind), "path": ResultValue(path),
    ]
    let line = ResultValue.object(["error": .object(members)]).json + "\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }

  /// The error for an output pipe whose reader has closed it, as `head` does. (`EPIPE`)
  ///
  /// The command then ends without an error, because no more output is needed.
  private struct ReaderLeft: Error {}

  private static func status(of code: StorageError.Code) -> Int32 {
    switch code {
    case .corrupted, .decodingFailed, .notSupported, .tooLarge, .misuse: EX_DATAERR
    case .unavailable, .invalidKey: EX_NOINPUT
    case .accessDenied, .insecurePermissions, .locked, .wrongKey: EX_NOPERM
    case .busy, .interrupted: EX_TEMPFAIL
    default: EX_IOERR
    }
  }
}

extension OutputFormat {
  /// Whether programs read the output as JSON.
  fileprivate var isJSON: Bool { self == .json || self == .ndjson }
}
