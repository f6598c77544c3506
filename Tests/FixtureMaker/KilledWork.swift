import ArgumentParser
import FixtureLibrary
import Foundation
import SystemCallFaults
import Undercroft

/// The work of a process that is killed before the work is complete.
enum KilledWork: String, ExpressibleByArgument {
  /// A batch of files, the first of which is at its final path.
  case batch = "batch"
  /// A migration whose first slice is committed, and whose second slice has begun.
  case migration = "migration"

  /// The error for a process that ended without being killed.
  struct Survived: Error { let status: Int32 }

  /// Runs the work in a separate process until the process is killed.
  func runUntilKilled(in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["die", rawValue, folder.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
      throw Survived(status: process.terminationStatus)
    }
  }

  func run(in folder: URL) throws {
    switch self {
    case .batch:
      let store = try FileBackend(in: folder)
      // The first call of `rename` is for the commit record, and each further call is for one file.
      faults_arm(Int32(FAULTS_RENAME.rawValue), 3, 1, Int32(FAULTS_KILL))
      try store.apply(KeyedValues.second)
    case .migration:
      var migrations = LibraryMigrations()
      migrations.amidSlice = { last in
        if last > LibraryMigrations.sliceCount { kill(getpid(), SIGKILL) }
      }
      try migrations.open(folder.appending(path: "library.sqlite")).close()
    }
  }
}
