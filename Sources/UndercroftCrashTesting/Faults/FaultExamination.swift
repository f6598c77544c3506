import UndercroftCore
import UndercroftFileSystem
import UndercroftTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes one system call of a writer fail after the other, each in a process of its own.
struct FaultExamination {
  let subject: CrashSubject
  let work: any FaultWork
  let budget: CrashBudget
  let command: [String]
  let progress: (String) -> Void

  /// A writer that neither ends nor says anything for so long hangs.
  private static let patience = Duration.seconds(60)

  func run(only chosen: CallFault? = nil) throws -> CrashRow {
    var row = CrashRow(store: subject.name, model: "faults")
    let scratch = try ScratchFolder.make("faults")
    defer { ScratchFolder.remove(scratch) }
    guard let shim = try FaultShim(in: scratch) else {
      row.remarks.append("there is no C compiler here, so no fault was tried")
      return row
    }
    var faults = CallFault.all(try count(shim, scratch))
      .filter { budget.calls?.contains($0.call) ?? true }
    row.planned = faults.count
    var random = SeededGenerator(seed: budget.seed)
    faults.shuffle(using: &random)
    if let chosen { faults = [chosen] }
    let deadline = ContinuousClock.now + budget.time
    var surfaced = 0
    var interrupted: [String: Int] = [:]
    for (number, fault) in faults.enumerated() {
      guard ContinuousClock.now < deadline, number < budget.faults else {
        row.remarks.append("the budget ended after \(number) of \(faults.count) faults")
        break
      }
      let trial = try FaultTrial(self, fault, shim, scratch + "/\(number)")
      row.add(trial.verdict)
      if trial.hasSurfaced {
        surfaced += 1
        if fault.isInterruption { interrupted[fault.call, default: 0] += 1 }
      }
      if trial.verdict != .kept {
        row.findings.append(
          "\(subject.name), \(fault): \(trial.verdict.rawValue): \(trial.reason)\n    again: "
            + (command + ["fault", "--store", subject.name] + fault.arguments)
            .joined(separator: " "))
      }
      if number % 100 == 99 {
        progress("\(subject.name) faults: \(number + 1) of \(faults.count)")
      }
    }
    row.remarks.append("\(surfaced) of \(row.tried) faults surfaced as an error")
    if !interrupted.isEmpty {
      let calls = interrupted.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      row.remarks.append("interrupted calls that surfaced: \(calls.joined(separator: ", "))")
    }
    return row
  }

  private func count(_ shim: FaultShim, _ scratch: String) throws -> [String: Int] {
    let folder = scratch + "/count"
    try Folder.create(folder)
    try work.prepare(URL(filePath: folder, directoryHint: .isDirectory))
    let counts = scratch + "/counts"
    let child = try ChildProcess(
      shim.command(writer(in: folder), root: folder, counts: counts))
    _ = child.lines()
    let status = child.status()
    guard status == 0 else { throw TraceError("the writer without faults ended with \(status)") }
    let text = String(
      decoding: try Descriptor(opening: counts, O_RDONLY).readAll(), as: UTF8.self)
    let pairs = text.split(separator: "\n").compactMap { line -> (String, Int)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[1]) else { return nil }
      return (String(words[0]), number)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  func writer(in folder: String) -> [String] {
    command + ["fault-write", "--store", subject.name, "--directory", folder]
  }

  /// Returns what the writer said, how it ended, and whether it was killed because it hung.
  func runWriter(
    _ fault: CallFault, _ shim: FaultShim, in folder: String
  ) throws -> (progress: [WriterProgress], status: Int32, hung: Bool) {
    try Folder.create(folder)
    try work.prepare(URL(filePath: folder, directoryHint: .isDirectory))
    let child = try ChildProcess(shim.command(writer(in: folder), root: folder, fault: fault))
    var said: [UInt8] = []
    var hung = false
    while let bytes = child.read(timeout: Self.patience) {
      if bytes.isEmpty {
        hung = true
        child.kill()
        break
      }
      said += bytes
    }
    let status = child.status()
    let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
    return (lines.compactMap { WriterProgress($0) }, status, hung)
  }
}
