/// The command that simulates power failures of real file systems.
extension CrashLaboratory {
  func examineRealDisks(_ options: LaboratoryOptions) throws -> Int32 {
    if let obstacle = DiskImage.obstacle() {
      Self.say("SKIPPED: no ext4 file system can be mounted here: \(obstacle)")
      return 0
    }
    var budget = CrashBudget(time: .seconds(try options.number("seconds") ?? 60))
    budget.seed = UInt64(try options.number("seed") ?? 1)
    let failures = try options["failures"] ?? ScratchFolder.make("failures")
    var rows: [CrashRow] = []
    for subject in try chosenSubjects(options) {
      let testRun = CrashTestRun(
        subject: subject, budget: budget, command: command,
        failures: FailureFolder(path: failures + "/" + subject.name, command: command),
        progress: Self.say)
      rows.append(try RealDiskTestRun(testRun: testRun).run())
    }
    Self.say(CrashRow.heading)
    for row in rows {
      for line in [row.description] + row.findings + row.allRemarks { Self.say(line) }
    }
    return rows.allSatisfy(\.isClean) ? 0 : 1
  }

  /// Returns the subjects that `--only` selects by name or by the part
  /// of the name before a "-", or all subjects if the option is missing.
  func chosenSubjects(_ options: LaboratoryOptions) throws -> [CrashSubject] {
    guard let names = try options.list("only") else { return subjects }
    func isMeant(_ subject: CrashSubject, by name: String) -> Bool {
      subject.name == name || subject.name.hasPrefix(name + "-")
    }
    for name in names where !subjects.contains(where: { isMeant($0, by: name) }) {
      throw LaboratoryError(
        """
        cannot find the store "\(name)": the stores are \(subjects.map(\.name).listed); pass one \
        or several of these names to --only, separated by commas
        """)
    }
    return subjects.filter { subject in names.contains { isMeant(subject, by: $0) } }
  }
}
