import UndercroftCore
import UndercroftFileSystem
import UndercroftTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The commands that examine.
extension CrashLaboratory {
  /// What stands before the lines of a child that belong into the final report.
  private static let rowMark = "=row "
  private static let findingMark = "=finding "
  private static let remarkMark = "=remark "

  /// Examines subjects one after the other, each in a process of its own: a store may trap or hang.
  func runAll(_ options: LaboratoryOptions) throws -> Int32 {
    let chosen = try chosenSubjects(options)
    guard Recorder.isAvailable() else {
      throw LaboratoryError("strace is not installed or may not trace programs; install it")
    }
    let failures = try options["failures"] ?? ScratchFolder.make("failures")
    try Folder.create(failures)
    var report: [String] = []
    var isClean = true
    for subject in chosen {
      let begin = ContinuousClock.now
      let arguments =
        ["examine", "--store", subject.name, "--failures", failures]
        + options.arguments(without: ["only", "store", "failures"])
      let child = try ChildProcess(command + arguments)
      isClean =
        try follow(child, subject, failures + "/" + subject.name + ".state", &report) && isClean
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      Self.say("\(subject.name): \(Int(seconds)) s")
    }
    Self.say(([CrashRow.heading] + report).joined(separator: "\n"))
    if isClean {
      ScratchFolder.remove(failures)
    } else {
      Self.say("failing states: \(failures)")
    }
    return isClean ? 0 : 1
  }

  /// Passes on what a child says, and returns whether it found every promise kept.
  private func follow(
    _ child: consuming ChildProcess, _ subject: CrashSubject, _ marker: String,
    _ report: inout [String]
  ) throws -> Bool {
    var rest: [UInt8] = []
    var silence = 0
    while let bytes = child.read(timeout: .seconds(60)) {
      silence = bytes.isEmpty ? silence + 1 : 0
      if silence == 5 { child.kill() }
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        tell(String(decoding: rest[..<end], as: UTF8.self), &report)
        rest.removeSubrange(...end)
      }
    }
    let status = child.status()
    if status & 0x7f != 0 {
      let state = (try? Descriptor(opening: marker, O_RDONLY).readAll()).map {
        String(decoding: $0, as: UTF8.self)
      }
      let cause = silence >= 5 ? "hangs" : "died of signal \(status & 0x7f)"
      report.append(
        "\(subject.name): the laboratory \(cause) while it opened: \(state ?? "nothing")")
    } else if status >> 8 > 1 {
      report.append("\(subject.name): could not be examined, see above")
    }
    unlink(marker)
    return status == 0
  }

  private func tell(_ line: String, _ report: inout [String]) {
    if line.hasPrefix(Self.rowMark) {
      report.append(String(line.dropFirst(Self.rowMark.count)))
      Self.say(report[report.count - 1])
    } else if line.hasPrefix(Self.findingMark) {
      report.append("    " + line.dropFirst(Self.findingMark.count))
    } else if line.hasPrefix(Self.remarkMark) {
      report.append("    " + line.dropFirst(Self.remarkMark.count))
    } else {
      Self.say(line)
    }
  }

  /// Examines one subject in this process.
  func examine(_ options: LaboratoryOptions) throws -> Int32 {
    let subject = try subject(options)
    var budget = CrashBudget()
    if let seconds = try options.number("seconds") { budget.time = .seconds(seconds) }
    budget.states = try options.number("states") ?? budget.states
    budget.secondCrashes = try options.number("second") ?? budget.secondCrashes
    budget.faults = try options.number("faults") ?? budget.faults
    budget.calls = options.list("calls")
    budget.seed = UInt64(try options.number("seed") ?? 1)
    let models = Set(options.list("models") ?? ["kill", "power", "second", "faults"])
    let failures = FailureFolder(
      path: try options.required("failures") + "/" + subject.name, command: command)
    var rows: [CrashRow] = []
    if !models.isDisjoint(with: ["kill", "power", "second"]) {
      rows += try CrashExamination(
        subject: subject, budget: budget, command: command, failures: failures, progress: Self.say
      ).run(models)
    }
    if models.contains("faults"), let work = subject.work as? any FaultWork {
      rows.append(
        try FaultExamination(
          subject: subject, work: work, budget: budget, command: command, progress: Self.say
        ).run())
    }
    for row in rows { print(row) }
    return rows.allSatisfy(\.isClean) ? 0 : 1
  }

  private func print(_ row: CrashRow) {
    for line in "\(row)".split(separator: "\n") { Self.say(Self.rowMark + line) }
    for remark in row.allRemarks { Self.say(Self.remarkMark + remark) }
    for finding in row.findings.prefix(12) {
      for line in finding.split(separator: "\n") { Self.say(Self.findingMark + line) }
    }
    if row.findings.count > 12 {
      Self.say(Self.findingMark + "and \(row.findings.count - 12) more")
    }
  }
}
