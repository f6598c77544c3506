import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A tester that writes the files of each crash state to a scratch folder and tests the store
/// there, once for all states with equal files.
struct StateChecker {
  let subject: CrashSubject
  let phase: WriterPhase
  private let scratch: String
  private var outcomes: [Int: CrashOutcome] = [:]
  private var number = 0

  init(_ subject: CrashSubject, _ phase: WriterPhase, scratch: String) {
    self.subject = subject
    self.phase = phase
    self.scratch = scratch
  }

  /// Returns the outcome of testing the store on a disk, or the earlier outcome for an equal disk.
  ///
  /// - Parameter willOpen: a closure that is called before the store is opened, and not for an
  ///   earlier outcome. The store may end this process when it opens, so the closure can first
  ///   record the tested state in a file.
  mutating func outcome(
    of disk: inout DiskModel, willOpen: () -> Void = {}
  ) throws -> CrashOutcome {
    let digest = disk.digest()
    if let known = outcomes[digest] { return known }
    willOpen()
    let outcome = try verify(disk)
    outcomes[digest] = outcome
    return outcome
  }

  private mutating func verify(_ disk: DiskModel) throws -> CrashOutcome {
    number += 1
    // Use a new folder for each state, because a store may cache information about a path as long
    // as the process runs.
    let path = scratch + "/\(number)"
    try disk.write(to: path)
    defer { ScratchFolder.remove(path) }
    return subject.work.verify(URL(filePath: path, directoryHint: .isDirectory), phase)
  }
}
