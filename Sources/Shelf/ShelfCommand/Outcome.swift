import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft

/// The conversion of every error to one sentence on standard error and an exit status.
enum Outcome {
  static func run(_ body: () throws -> Void) throws {
    do { try body() } catch { try report(error) }
  }

  static func run(_ body: () async throws -> Void) async throws {
    do { try await body() } catch { try report(error) }
  }

  /// Runs `body` in a task that Ctrl-C cancels.
  static func interruptibly(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let work = Task { try await body() }
    let interruption = Interruption { work.cancel() }
    defer { interruption.end() }
    try await work.value
  }

  private static func report(_ error: any Error) throws -> Never {
    switch error {
    case let error as InputError:
      switch error {
      case .unreadable(let path, _):
        // A word that is not a subcommand is interpreted as the path of a file.
        let suggestion =
          path.contains("/")
          ? "check the path and the file permissions"
          : """
          check the path; if \(path.debugDescription) is not meant as a path but as a command, run \
          shelf --help to list the commands
          """
        try fail("\(error); \(suggestion)", EX_NOINPUT)
      case .damaged, .empty, .emptyNote, .emptyTitle: try fail("\(error)", EX_DATAERR)
      }
    case is CancellationError: try interrupted()
    case let error as NotFound: try fail("\(error)", EXIT_FAILURE)
    case let error as StorageError:
      // If the migration of a database is cancelled, opening the database throws this error.
      if error.underlying is CancellationError { try interrupted() }
      try fail("\(error)", status(of: error))
    default: try fail("cannot complete the command: \(error.localizedDescription)", EX_IOERR)
    }
  }

  private static func interrupted() throws -> Never {
    try fail(
      """
      cannot complete the command: the command was interrupted, and the changes that it saved \
      before the interruption remain; run the command again to complete it
      """, 130)
  }

  private static func status(of error: StorageError) -> Int32 {
    switch error.code {
    case .locked: EX_TEMPFAIL
    default: EX_IOERR
    }
  }

  /// Writes a line of the command's result to standard output.
  ///
  /// - Throws: an error if the line cannot be written, for example because the disk is full.
  static func print(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Writes one sentence to standard error.
  static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("shelf: \(text.printable)\n".utf8))
  }

  /// Writes an indented line to standard error, as a detail of the sentence before it.
  static func note(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("  \(text.printable)\n".utf8))
  }

  private static func fail(_ text: String, _ status: Int32) throws -> Never {
    ProgressLine.clear()
    say(text)
    throw ExitCode(status)
  }
}
