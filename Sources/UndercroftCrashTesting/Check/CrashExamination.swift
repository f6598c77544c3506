import UndercroftCore
import UndercroftFileSystem
import UndercroftTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Records the writer of one subject and tries what crashes leave of its files.
struct CrashExamination {
  let subject: CrashSubject
  let budget: CrashBudget
  /// The words that start the laboratory's program.
  let command: [String]
  let failures: FailureFolder
  let progress: (String) -> Void

  /// Runs the models and returns a row for each.
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
      rows.append(try SecondCrashes(examination: self, trace: trace, scratch: scratch).run())
    }
    return rows
  }

  /// A store that lies elsewhere keeps every promise here.
  static let noChanges = LaboratoryError(
    "the writer changed no file below the folder that it was given; open the store there")

  /// Records a writer in a folder, which is made and removed unless the files in it are given.
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
