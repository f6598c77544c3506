import Foundation
import UndercroftSQLite
import UndercroftTesting

/// One round of ``Crowd``, in which several processes open one file concurrently.
struct CrowdRound {
  let kind: Crowd.Kind
  let old: OldLibrary
  let folder: URL
  let processes: Int
  private(set) var problems: [String] = []
  private(set) var kills = 0
  private var gateEnd: Int32 = -1

  private var file: URL { folder.appending(path: "library.sqlite") }
  private var log: String { folder.appending(path: "runs.log").path() }

  init(kind: Crowd.Kind, old: OldLibrary, folder: URL, processes: Int) {
    (self.kind, self.old, self.folder, self.processes) = (kind, old, folder, processes)
  }

  mutating func run(killingAt moment: Int) throws {
    let gate = folder.appending(path: "gate").path()
    guard mkfifo(gate, 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    try start(0, gate, moment)
    unlink(gate)
    look()
  }

  /// Starts the process with a number and all later processes, lets all of them begin when the last
  /// one is ready, and checks how they end.
  ///
  /// The function is recursive, because an array cannot contain noncopyable values.
  private mutating func start(_ number: Int, _ gate: String, _ moment: Int) throws {
    let child = try ChildProcess(
      [CommandLine.arguments[0], "upgrade", "--file", file.path(), "--log", log, "--gate", gate]
        + arguments(number, moment))
    while let bytes = child.read(timeout: .seconds(60)), bytes.isEmpty {}
    if number + 1 < processes {
      try start(number + 1, gate, moment)
    } else {
      // Opening the pipe does not block, and it remains open for processes that open it a little
      // later.
      gateEnd = open(gate, O_RDWR)
    }
    let last = child.lines().last ?? ""
    ended(number, child.status(), last)
    if number == 0 { close(gateEnd) }
  }

  private func arguments(_ number: Int, _ moment: Int) -> [String] {
    switch kind {
    case .sliced: []
    case .uncut: ["--uncut"]
    case .new: ["--reader", "Process \(number)"]
    case .killed: number == 0 ? ["--at", "\(moment)"] : []
    case .afresh:
      ["--failing", "4", "--fallback", "recreate", "--reader", "Process \(number)"]
        + ["--hesitation", "\(number * 3_000)"]
    case .restored:
      ["--failing", "5", "--fallback", "restoreSnapshot", "--hesitation", "\(number * 3_000)"]
    case .mixed:
      number.isMultiple(of: 2)
        ? ["--failing", "5", "--fallback", "restoreSnapshot", "--hesitation", "\(number * 10_000)"]
        : ["--reader", "Process \(number)"]
    }
  }

  private mutating func ended(_ number: Int, _ status: Int32, _ last: String) {
    if kind == .killed, number == 0, status == SIGKILL { return kills += 1 }
    let mayFail = kind == .restored || kind == .mixed && number.isMultiple(of: 2)
    let isAsExpected =
      last == "end open" && kind != .restored || mayFail && last.hasPrefix("end migrationFailed")
    if status != 0 || !isAsExpected {
      problems.append("process \(number) ended with the wait status \(status): \(last)")
    }
  }

  private mutating func look() {
    let finding = LibraryFinding(of: file, holding: old.content, hasNewReaders: kind == .mixed)
    problems += finding.troubles.map { "\($0.rawValue): \($1)" }
    let isFresh = kind == .new || kind == .afresh
    let version = kind == .restored ? "1" : LibrarySteps.newest
    if finding.version != version || finding.isFresh != isFresh {
      problems.append(
        """
        the file has version \(finding.version) (recreated: \(finding.isFresh)), and not version \
        \(version) (recreated: \(isFresh))
        """)
    }
    lookAtRuns()
    lookAtReaders()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    let expected =
      ["library.sqlite"] + (kind == .new ? [] : ["library.sqlite.version-1.snapshot", "runs.log"])
      + (kind == .afresh ? ["library.sqlite.kept-1"] : [])
    let others = Set(names).symmetricDifference(expected).subtracting(["runs.log"])
    if !others.isEmpty { problems.append("files are missing or unexpected: \(others.sorted())") }
  }

  /// Checks that each step and each slice ran in one process, and again in a second process only if
  /// a killed process had begun it.
  private mutating func lookAtRuns() {
    let lines = ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n")
    let counts = Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
    switch kind {
    case .sliced, .uncut, .killed:
      let steps = counts.keys.filter { !$0.contains("after") }.sorted()
      if steps != ["2", "3", "4", "5", "6"] {
        problems.append("the steps \(steps) ran, and not 2 to 6")
      }
      let more = counts.values.reduce(0) { $0 + $1 - 1 }
      if more > kills { problems.append("\(more) steps ran again: \(lines)") }
      if kind != .uncut, lines.count < 10 { problems.append("the slices did not run: \(lines)") }
    case .new:
      if !lines.isEmpty { problems.append("steps ran for a new file: \(lines)") }
    case .afresh, .restored, .mixed: break
    }
  }

  /// Checks that the rows exist that the processes inserted after they opened the database.
  private mutating func lookAtReaders() {
    let expected =
      switch kind {
      case .new, .afresh: processes
      case .mixed: processes / 2
      default: 0
      }
    let found = try? Database(at: file).fetchValue(
      "SELECT count(*) FROM reader WHERE name LIKE 'Process %'", as: Int.self)
    if found != expected {
      problems.append("the file has \(found ?? -1) of \(expected) inserted rows")
    }
  }
}
