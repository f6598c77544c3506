import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A run of the crash test of one subject.
///
/// The run records the system calls of the subject's writer, and tests the files that a crash can
/// leave.
struct CrashTestRun {
  let subject: CrashSubject
  let budget: CrashBudget
  /// The command and arguments that start the program with the ``CrashLaboratory``.
  let command: [String]
  let failures: FailureFolder
  let progress: (String) -> Void

  /// Runs the given kinds of tests ("kill", "power", "second"), and returns a row of the report for
  /// each kind.
  func run(_ models: Set<String>) throws -> [CrashRow] {
    let scratch = try ScratchFolder.make("crash")
    defer { ScratchFolder.remove(scratch) }
    let trace = try record(in: scratch + "/first", .first)
    if trace.operations.isEmpty { throw Self.noChanges }
    progress(
      "\(subject.name): recorded \(trace.operations.count) operations; their replay ends as the disk"
    )
    var rows: [CrashRow] = []
    for model in CrashModel.allCases where models.contains(model.rawValue) {
      var row = CrashRow(store: subject.name, model: model.rawValue)
      var run = ReplayRun(
        subject, trace, .first, floor: 0, from: 0, budget, until: .now + budget.time,
        scratch: scratch, failures, progress)
      try run.run(model, into: &row)
      rows.append(row)
    }
    if models.contains("second"), subject.work.hasContinuation {
      rows.append(try SecondCrashes(testRun: self, trace: trace, scratch: scratch).run())
    }
    return rows
  }

  /// The error for a writer that changes no file in its folder.
  ///
  /// Without this error, a store that writes its files to another folder would pass every test.
  static let noChanges = LaboratoryError(
    """
    cannot test the writer: the writer changed no file in the folder that was passed to the \
    writer; open the store in this folder
    """)

  /// Runs a writer in a new folder, and returns the recording of its system calls.
  ///
  /// The folder is removed afterwards.
  ///
  /// - Parameters:
  ///   - path: the path of the folder.
  ///   - phase: the first writer, or the second writer, which continues after a crash.
  ///   - disk: the initial files of the folder, or `nil` for the files that the subject prepares.
  func record(
    in path: String, _ phase: WriterPhase, over disk: DiskModel? = nil
  ) throws -> Trace {
    defer { ScratchFolder.remove(path) }
    if let disk {
      try disk.write(to: path)
    } else {
      try Folder.create(path)
      try subject.work.prepare(URL(filePath: path, directoryHint: .isDirectory))
    }
    var arguments = ["write", "--store", subject.name, "--directory", path]
    if case .second(let base) = phase { arguments += ["--base", "\(base)"] }
    return try Recorder.record(command + arguments, in: path, continuing: disk)
  }
}
