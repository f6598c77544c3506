import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds acknowledged batches that rest on a flush which has failed.
///
/// The writer runs once more with the same fault, recorded by `strace`. A flush that the fault library
/// refuses never reaches the kernel, so the recording lacks it, and the replay of a power failure loses
/// what it would have made durable. Whether a later flush, a new file in the place of the old one or
/// another copy of the bytes makes up for it follows from the files alone.
struct FailedFlushes {
  let examination: FaultExamination
  let shim: FaultShim
  let writer: [String]
  let prepared: DiskModel
  let scratch: String

  /// Whether a failure of the call is worth a recording: only a failed flush takes back a promise
  /// without a trace in the files.
  func concerns(_ fault: CallFault) -> Bool {
    fault.call == "fsync" && examination.subject.durability == .powerLoss
  }

  /// Returns what is lost by a power failure right after a batch was acknowledged; `nil` if nothing is.
  func loss(with fault: CallFault) throws -> String? {
    let folder = scratch + "/flush"
    defer { ScratchFolder.remove(folder) }
    try prepared.write(to: folder)
    let trace = try Recorder.record(
      shim.command(writer + ["--directory", folder], root: folder, failing: fault), in: folder)
    let replay = Replay(trace)
    for (index, announcement) in trace.announcements.enumerated() {
      guard case .acknowledged(let number) = announcement.progress else { continue }
      let point = announcement.position
      let pending = replay.pending(at: point)
      if pending.isEmpty { continue }
      let durable = replay.durableDisk(at: point, pending: pending)
      if durable.differences(from: replay.disk(after: point)).isEmpty { continue }
      let progress = trace.announcements[...index].map(\.progress)
      guard let problem = try problem(of: durable, after: progress) else { continue }
      let batch = number == BackendWork.lastNumber ? "the last batch" : "batch \(number)"
      return "\(batch) was acknowledged although a flush had failed, and a power failure "
        + "then loses it: \(problem)"
    }
    return nil
  }

  private func problem(of disk: DiskModel, after progress: [WriterProgress]) throws -> String? {
    let folder = scratch + "/power"
    defer { ScratchFolder.remove(folder) }
    try disk.write(to: folder)
    let outcome = examination.work.judge(
      URL(filePath: folder, directoryHint: .isDirectory), after: progress, readAs: nil)
    if case .consistent = outcome { return nil }
    return outcome.text
  }
}
