import ArgumentParser
import Foundation
import ShelfCatalogue
import Undercroft

/// Turns every way to fail into one sentence and an exit status.
enum Outcome {
  static func run(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as InputError {
      switch error {
      case .unreadable(let path, _):
        // A word that is no subcommand is taken for a file.
        let cure = path.contains("/") ? "" : "; see shelf --help for what else can be done"
        try fail("\(error)\(cure)", EX_NOINPUT)
      case .damaged, .empty, .emptyNote: try fail("\(error)", EX_DATAERR)
      }
    } catch is CancellationError {
      try interrupted()
    } catch let error as NotFound {
      try fail("\(error)", EXIT_FAILURE)
    } catch let error as StorageError {
      // A database that was being migrated is not opened.
      if error.underlying is CancellationError { try interrupted() }
      try fail("\(error)", status(of: error))
    } catch {
      try fail("cannot go on: \(error.localizedDescription)", EX_IOERR)
    }
  }

  private static func interrupted() throws -> Never {
    try fail("interrupted: everything kept so far is whole, the next run goes on", 130)
  }

  private static func status(of error: StorageError) -> Int32 {
    switch error.code {
    case .locked: EX_TEMPFAIL
    default: EX_IOERR
    }
  }

  /// Writes a line of the answer; a disk that is full is an error and not silence.
  static func print(_ line: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Says one sentence on standard error.
  static func say(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("shelf: \(text.printable)\n".utf8))
  }

  /// Adds a line to what was said.
  static func note(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("  \(text.printable)\n".utf8))
  }

  private static func fail(_ text: String, _ status: Int32) throws -> Never {
    ProgressLine.clear()
    say(text)
    throw ExitCode(status)
  }
}
