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
      case .unreadable: try fail("\(error)", EX_NOINPUT)
      case .damaged, .empty: try fail("\(error)", EX_DATAERR)
      }
    } catch is CancellationError {
      try fail("interrupted: everything kept so far is whole, the next run goes on", 130)
    } catch let error as StorageError {
      try fail("\(error)", error.code == .corrupted ? EX_DATAERR : EX_IOERR)
    }
  }

  private static func fail(_ text: String, _ status: Int32) throws -> Never {
    ProgressLine.clear()
    try? FileHandle.standardError.write(contentsOf: Data("shelf: \(text)\n".utf8))
    throw ExitCode(status)
  }
}
