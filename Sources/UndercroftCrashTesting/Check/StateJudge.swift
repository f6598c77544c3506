import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A tester that writes each state to a scratch folder
/// and opens the store there, once for all equal states.
struct StateJudge {
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

  /// Returns the outcome of opening the files of a disk, or the earlier outcome for an equal disk.
  ///
  /// - Parameter willOpen: a closure that is called before the store is opened, because opening it
  ///   may end the process.
  mutating func outcome(
    of disk: inout DiskModel, willOpen: () -> Void = {}
  ) throws -> CrashOutcome {
    let digest = disk.digest()
    if let known = outcomes[digest] { return known }
    willOpen()
    let outcome = try judge(disk)
    outcomes[digest] = outcome
    return outcome
  }

  private mutating func judge(_ disk: DiskModel) throws -> CrashOutcome {
    number += 1
    // Use a new name for each state, because a store may cache facts about a path while its process
    // runs.
    let path = scratch + "/\(number)"
    try disk.write(to: path)
    defer { ScratchFolder.remove(path) }
    return subject.work.judge(URL(filePath: path, directoryHint: .isDirectory), phase)
  }
}
