import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The commands that run in the processes of writers, and the commands that repeat a single test.
extension CrashLaboratory {
  /// The reporter of the progress of a writer.
  ///
  /// The reporter prints each line with a single `write`,
  /// so that the recording contains the line as one call.
  private static let reporter = ProgressReporter { progress in put(progress.line) }

  func write(_ options: LaboratoryOptions) throws -> Int32 {
    let work = try subject(options).work
    let folder = URL(filePath: try options.required("directory"), directoryHint: .isDirectory)
    let phase = try options.number("base").map { WriterPhase.second(base: $0) } ?? .first
    try work.write(in: folder, phase, Self.reporter)
    return 0
  }

  /// Runs a writer once with the fault that the environment variables of ``CallFault`` describe.
  ///
  /// With the option `--list`, runs the writer once for each fault in the file
  /// that the option names. Returns the exit code 0 even if calls failed,
  /// because the writer reports errors and violated guarantees in its output.
  func writeDespiteFaults(_ options: LaboratoryOptions) throws -> Int32 {
    let subject = try subject(options)
    let work = try faultWork(of: subject)
    guard let list = options["list"] else {
      let folder = try options.required("directory")
      work.writeDespiteFaults(
        in: URL(filePath: folder, directoryHint: .isDirectory), isCopying: false, Self.reporter)
      return 0
    }
    let text = String(decoding: try Descriptor(opening: list, O_RDONLY).readAll(), as: UTF8.self)
    for (number, line) in text.split(separator: "\n").enumerated() {
      let words = line.split(separator: " ").map(String.init)
      guard let path = words.first else { continue }
      let fault = try CallFault(LaboratoryOptions(words.dropFirst(), of: .fault))
      let folder = URL(filePath: path, directoryHint: .isDirectory)
      Self.reporter.report(.trial(number))
      try FaultShim.failing(fault, in: path) {
        work.writeDespiteFaults(in: folder, isCopying: true, Self.reporter)
      }
      work.recover(in: folder, Self.reporter)
    }
    return 0
  }

  /// Tests a copy of the files that an earlier crash test saved.
  ///
  /// - Returns: the exit code, which is 0 if the store fulfils its guarantees, or 1 otherwise.
  func check(_ options: LaboratoryOptions) throws -> Int32 {
    let subject = try subject(options)
    let disk = try DiskModel(readingFrom: try options.required("state"))
    let phase = try options.number("base").map { WriterPhase.second(base: $0) } ?? .first
    let scratch = try ScratchFolder.make("check")
    defer { ScratchFolder.remove(scratch) }
    try disk.write(to: scratch + "/state")
    let outcome = subject.work.verify(
      URL(filePath: scratch + "/state", directoryHint: .isDirectory), phase)
    let required = try options.number("required") ?? 0
    let window = BatchWindow(required: required, begun: try options.number("begun") ?? required)
    let verdict = outcome.verdict(window)
    Self.say("\(subject.name): \(verdict.rawValue): \(outcome.text)")
    return verdict == .passed ? 0 : 1
  }

  /// Repeats the test of the fault that the options describe, and returns the exit code.
  func tryFault(_ options: LaboratoryOptions) throws -> Int32 {
    let subject = try subject(options)
    let work = try faultWork(of: subject)
    let row = try FaultTestRun(
      subject: subject, work: work, budget: CrashBudget(), command: command, progress: Self.say
    ).run(only: CallFault(options))
    for line in row.findings + row.allRemarks { Self.say(line) }
    return row.isClean ? 0 : 1
  }

  private func faultWork(of subject: CrashSubject) throws(LaboratoryError) -> any FaultWork {
    if let work = subject.work as? any FaultWork { return work }
    let others = subjects.filter { $0.work is any FaultWork }.map(\.name)
    let suggestion =
      others.isEmpty
      ? "add to this program a store whose workload supports fault injection"
      : "pass one of the names \(others.listed) to --store"
    throw LaboratoryError(
      """
      cannot inject faults into the store "\(subject.name)": the workload of this store does not \
      support fault injection; \(suggestion)
      """)
  }
}
