import ArgumentParser
import Foundation
import Undercroft
import UndercroftInspection

/// The format of a command's output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text = "text"
  case json = "json"
}

/// The output of commands, and the conversion of errors to messages and exit codes.
enum Output {
  /// Writes a value as JSON to standard output.
  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try text(JSONText.safe(String(decoding: try encoder.encode(value), as: UTF8.self)))
  }

  /// Writes text and a line break to standard output.
  static func text(_ text: String) throws { try bytes(Data((text + "\n").utf8)) }

  /// Writes rows to standard output, in columns as wide as their widest cell.
  static func table(_ rows: [[String]]) throws {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    var lines = ""
    for row in rows {
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      lines += line + "\n"
    }
    try bytes(Data(lines.utf8))
  }

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
  /// - Parameter body: a closure that writes the output, and
  ///   returns the errors of the stores that could not be read.
  /// - Throws: an `ExitCode`, unless the command succeeds or the reader of the
  ///   output has closed the pipe. Other errors than ``StorageError`` are rethrown.
  static func run(_ body: () throws -> [Problem]) throws {
    // A reader such as `head` may close the pipe. Writing must then fail with
    // `EPIPE`, even if the parent process has changed the signal's action.
    signal(SIGPIPE, SIG_IGN)
    do {
      let problems = try body()
      for problem in problems { note(problem.sentence) }
      if let worst = problems.first(where: \.isFailure) {
        throw ExitCode(status(of: worst.error.code))
      }
    } catch is ReaderLeft {
      return
    } catch let error as StorageError {
      note("\(error)")
      throw ExitCode(status(of: error.code))
    }
  }

  /// The error for an output pipe whose reader has closed it, as `head` does. (`EPIPE`)
  ///
  /// The command then ends without an error, because no more output is needed.
  private struct ReaderLeft: Error {}

  private static func status(of code: StorageError.Code) -> Int32 {
    switch code {
    case .corrupted, .decodingFailed, .notSupported, .tooLarge: EX_DATAERR
    case .unavailable, .invalidKey: EX_NOINPUT
    case .accessDenied, .insecurePermissions, .locked, .wrongKey: EX_NOPERM
    default: EX_IOERR
    }
  }
}
