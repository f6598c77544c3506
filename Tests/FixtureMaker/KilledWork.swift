import ArgumentParser
import FixtureLibrary
import Foundation
import SystemCallFaults
import Undercroft

/// Work that a process begins and is killed in.
enum KilledWork: String, ExpressibleByArgument {
  /// A batch of files, of which one is in place.
  case batch = "batch"
  /// A migration whose first slice is committed and whose second is under way.
  case migration = "migration"

  /// What went wrong with a process that was to be killed.
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
      // The first renaming is that of the commit record, each further one that of a file.
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
