import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes states into scratch folders and has them judged; equal states are judged once.
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

  /// Opens what is on a disk, unless the same was opened before.
  ///
  /// - Parameter willOpen: is called before the store is opened, which may end the process.
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
    // A new name each time: a store may remember a path for as long as its process lives.
    let path = scratch + "/\(number)"
    try disk.write(to: path)
    defer { ScratchFolder.remove(path) }
    return subject.work.judge(URL(filePath: path, directoryHint: .isDirectory), phase)
  }
}
