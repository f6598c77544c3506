import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A group of writers whose system calls fail.
///
/// One process tries a list of faults, each in a separate folder. If the process dies or hangs, the
/// fault that the process reported last is the cause, and a new process tries the remaining
/// faults.
struct FaultWriters {
  private let shim: FaultShim
  private let scratch: String
  let writer: [String]
  /// The files in the folder of each writer when the writer starts.
  let prepared: DiskModel

  /// The maximum time without output, after which a writer counts as hanging.
  static let patience = Duration.seconds(60)

  init(_ testRun: FaultTestRun, _ shim: FaultShim, _ scratch: String) throws {
    self.shim = shim
    self.scratch = scratch
    writer = testRun.command + ["fault-write", "--store", testRun.subject.name]
    let folder = scratch + "/prepared"
    try Folder.create(folder)
    try testRun.work.prepare(URL(filePath: folder, directoryHint: .isDirectory))
    prepared = try DiskModel(readingFrom: folder)
  }

  private func path(_ number: Int) -> String { "\(scratch)/trial-\(number)" }

  /// Returns the folder in which the fault at index `number` of the list is tried.
  func folder(_ number: Int) -> URL {
    URL(filePath: path(number), directoryHint: .isDirectory)
  }

  /// Returns the number of calls of each kind that a writer makes without faults.
  func countCalls() throws -> [String: Int] {
    try prepare(0)
    let counts = scratch + "/counts"
    let counted = writer + ["--directory", path(0)]
    let child = try ChildProcess(shim.command(counted, root: path(0), counts: counts))
    let lines = child.lines()
    let status = child.status()
    guard status == 0 else {
      throw TraceError(
        """
        cannot count the system calls of the writer \(quoted(counted.joined(separator: " "))): \
        although no fault was injected, the writer ended with \
        \(ChildProcess.describe(waitStatus: status)) (the last lines of the output are \
        \(quoted(lines.suffix(3).joined(separator: "; ")))); run this command in a shell, with the \
        path of an empty folder after --directory, to see whether the writer also fails without \
        the fault injection library
        """)
    }
    let text = String(
      decoding: try Descriptor(opening: counts, O_RDONLY).readAll(), as: UTF8.self)
    let pairs = text.split(separator: "\n").compactMap { line -> (String, Int)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let number = Int(words[1]) else { return nil }
      return (String(words[0]), number)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private func prepare(_ number: Int) throws {
    ScratchFolder.remove(path(number))
    try prepared.write(to: path(number))
  }

  /// Runs writers into which the faults are injected, and returns one run for each fault, in order.
  func run(_ faults: [CallFault]) throws -> [FaultRun] {
    for number in faults.indices { try prepare(number) }
    var runs: [FaultRun] = []
    while runs.count < faults.count {
      let tried = try runProcess(faults, from: runs.count)
      guard !tried.isEmpty else {
        let direct = writer + ["--directory", "FOLDER"]
        throw TraceError(
          """
          cannot inject a fault into the system call "\(faults[runs.count].call)": the writer \
          \(quoted(listCommand.joined(separator: " "))) ended, or was killed because it had \
          printed nothing for \(Self.patience), before the fault was injected; run \
          \(quoted(direct.joined(separator: " "))) in a shell, with the path of an empty folder in \
          place of FOLDER, to see whether the writer also fails without the fault injection library
          """)
      }
      runs += tried
    }
    return runs
  }

  /// The file that contains the folder and the arguments of each fault, one fault per line.
  private var list: String { scratch + "/list" }

  /// The command that tries the faults in ``list`` one after the other.
  private var listCommand: [String] { shim.command(writer + ["--list", list], root: nil) }

  private func runProcess(_ faults: [CallFault], from start: Int) throws -> [FaultRun] {
    let lines = faults.enumerated().dropFirst(start).map { number, fault in
      "\(path(number)) \(fault.arguments.joined(separator: " "))\n"
    }
    try ReplacementFile.write(Data(lines.joined().utf8), to: list)
    let child = try ChildProcess(listCommand)
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
    let end = FaultRun.End(status: child.status())
    var runs: [FaultRun] = []
    for line in String(decoding: said, as: UTF8.self).split(separator: "\n") {
      guard let progress = WriterProgress(line) else { continue }
      if case .trial = progress {
        runs.append(FaultRun())
      } else if !runs.isEmpty {
        runs[runs.count - 1].progress.append(progress)
      }
    }
    if !runs.isEmpty { runs[runs.count - 1].end = hung ? .hung : end }
    return runs
  }
}
