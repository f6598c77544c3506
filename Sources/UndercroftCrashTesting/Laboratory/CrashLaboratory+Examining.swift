import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// The commands that test stores.
extension CrashLaboratory {
  /// The prefix of the lines in which a child process prints a row of the final report.
  private static let rowPrefix = "=row "
  private static let findingPrefix = "=finding "
  private static let remarkPrefix = "=remark "

  /// Tests the subjects one after the other, each in a
  /// separate process because a store may trap or hang.
  ///
  /// - Returns: the exit code, which is 1 if a guarantee is violated or a process died or hung.
  ///   Otherwise, the code is 2 if a store could not be tested, or 0 if every test passed.
  func runAll(_ options: LaboratoryOptions) throws -> Int32 {
    let chosen = try chosenSubjects(options)
    _ = try budget(options)
    _ = try models(options)
    guard Recorder.isAvailable() else {
      let reason =
        Recorder.path.map { path in
          """
          \(path) cannot trace /bin/true; run "\(path) /bin/true" in a shell to see the cause, \
          such as a container that forbids ptrace(2)
          """
        }
        ?? Recorder.missing
      throw LaboratoryError("cannot record the system calls of the writer processes: \(reason)")
    }
    let failures = try options["failures"] ?? ScratchFolder.make("failures")
    try Folder.create(failures)
    var report: [String] = []
    var status: Int32 = 0
    for subject in chosen {
      let begin = ContinuousClock.now
      let arguments =
        ["examine", "--store", subject.name, "--failures", failures]
        + options.arguments(without: ["only", "store", "failures"])
      let child = try ChildProcess(command + arguments)
      let result = try follow(child, subject, failures + "/" + subject.name + ".state", &report)
      // A violated guarantee has priority over a store that could not be tested.
      if status != 1, result != 0 { status = result }
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      Self.say("\(subject.name): \(Int(seconds)) s")
    }
    Self.say(([CrashRow.heading] + report).joined(separator: "\n"))
    if try ScratchFolder.paths(in: failures).isEmpty {
      if options["failures"] == nil { ScratchFolder.remove(failures) }
    } else {
      ScratchFolder.preserve(failures)
      Self.say("failing states: \(failures)")
    }
    return status
  }

  /// Forwards the output of a child process, and returns its exit code, or 1 if the process died or
  /// hung.
  private func follow(
    _ child: consuming ChildProcess, _ subject: CrashSubject, _ marker: String,
    _ report: inout [String]
  ) throws -> Int32 {
    var rest: [UInt8] = []
    var silence = 0
    while let bytes = child.read(timeout: .seconds(60)) {
      silence = bytes.isEmpty ? silence + 1 : 0
      if silence == 5 { child.kill() }
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        process(String(decoding: rest[..<end], as: UTF8.self), &report)
        rest.removeSubrange(...end)
      }
    }
    let status = child.status()
    if status & 0x7f != 0 {
      let state = (try? Descriptor(opening: marker, O_RDONLY).readAll()).map {
        String(decoding: $0, as: UTF8.self)
      }
      let cause = silence >= 5 ? "hung" : "was terminated by signal \(status & 0x7f)"
      report.append(
        "\(subject.name): the crash test \(cause) while it opened: \(state ?? "nothing")")
    } else if status >> 8 > 1 {
      report.append("\(subject.name): could not be tested, see above")
    }
    unlink(marker)
    return status == 0 ? 0 : status >> 8 == 2 ? 2 : 1
  }

  private func process(_ line: String, _ report: inout [String]) {
    if line.hasPrefix(Self.rowPrefix) {
      report.append(String(line.dropFirst(Self.rowPrefix.count)))
      Self.say(report[report.count - 1])
    } else if line.hasPrefix(Self.findingPrefix) {
      report.append("    " + line.dropFirst(Self.findingPrefix.count))
    } else if line.hasPrefix(Self.remarkPrefix) {
      report.append("    " + line.dropFirst(Self.remarkPrefix.count))
    } else {
      Self.say(line)
    }
  }

  /// Tests one store in this process, and returns the exit code.
  func examine(_ options: LaboratoryOptions) throws -> Int32 {
    let subject = try subject(options)
    let budget = try budget(options)
    let models = try models(options)
    let failures = FailureFolder(
      path: try options.required("failures") + "/" + subject.name, command: command)
    var rows: [CrashRow] = []
    if !models.isDisjoint(with: ["kill", "power", "second"]) {
      rows += try CrashTestRun(
        subject: subject, budget: budget, command: command, failures: failures, progress: Self.say
      ).run(models)
    }
    if models.contains("faults"), let work = subject.work as? any FaultWork {
      rows.append(
        try FaultTestRun(
          subject: subject, work: work, budget: budget, command: command, progress: Self.say
        ).run())
    }
    for row in rows { print(row) }
    return rows.allSatisfy(\.isClean) ? 0 : 1
  }

  private func budget(_ options: LaboratoryOptions) throws -> CrashBudget {
    var budget = CrashBudget()
    if let seconds = try options.number("seconds") { budget.time = .seconds(seconds) }
    budget.states = try options.number("states") ?? budget.states
    budget.secondCrashes = try options.number("second") ?? budget.secondCrashes
    budget.faults = try options.number("faults") ?? budget.faults
    budget.calls = try options.list("calls", of: CallFault.callNames)
    budget.seed = UInt64(try options.number("seed") ?? 1)
    return budget
  }

  private func models(_ options: LaboratoryOptions) throws -> Set<String> {
    let all = LaboratoryCommand.models
    return Set(try options.list("models", of: all) ?? all)
  }

  private func print(_ row: CrashRow) {
    for line in "\(row)".split(separator: "\n") { Self.say(Self.rowPrefix + line) }
    for remark in row.allRemarks { Self.say(Self.remarkPrefix + remark) }
    for finding in row.findings.prefix(12) {
      for line in finding.split(separator: "\n") { Self.say(Self.findingPrefix + line) }
    }
    if row.findings.count > 12 {
      Self.say(Self.findingPrefix + "and \(row.findings.count - 12) more")
    }
  }
}
