import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A search for acknowledged batches that depend on a failed flush.
///
/// The writer runs again with the same fault while `strace` records it. A flush that
/// the library of ``FaultShim`` rejects never reaches the kernel. So the recording lacks
/// the flush, and the replay of a power failure loses the operations that the flush
/// would have made durable. If a later flush, a replacement of the file or another
/// copy of the bytes compensates for the failure, nothing is lost in the replay.
struct FailedFlushes {
  let testRun: FaultTestRun
  let shim: FaultShim
  let writer: [String]
  let prepared: DiskModel
  let scratch: String

  /// Returns whether recording a writer with `fault` can reveal a lost batch.
  ///
  /// A recording reveals a loss only after a failed flush, and only if batches must survive a power
  /// failure. A violation after any other failure is visible in the files without a recording.
  func concerns(_ fault: CallFault) -> Bool {
    fault.call == "fsync" && testRun.subject.durability == .powerLoss
  }

  /// Runs the writer with `fault`, and returns a description of an acknowledged batch that a power
  /// failure right after the acknowledgement would lose.
  ///
  /// Returns `nil` if no batch would be lost.
  func loss(with fault: CallFault) throws -> String? {
    let folder = scratch + "/flush"
    defer { ScratchFolder.remove(folder) }
    try prepared.write(to: folder)
    let trace = try Recorder.record(
      shim.command(writer + ["--directory", folder], root: folder, failing: fault), in: folder)
    let replay = Replay(trace)
    for (index, line) in trace.progressLines.enumerated() {
      guard case .acknowledged(let number) = line.progress else { continue }
      let point = line.position
      let pending = replay.pending(at: point)
      if pending.isEmpty { continue }
      let durable = replay.durableDisk(at: point, pending: pending)
      if durable.differences(from: replay.disk(after: point)).isEmpty { continue }
      let progress = trace.progressLines[...index].map(\.progress)
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
    let outcome = testRun.work.verify(
      URL(filePath: folder, directoryHint: .isDirectory), after: progress, readAs: nil)
    if case .consistent = outcome { return nil }
    return outcome.text
  }
}
