import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A test that copies the disk of a real ext4 file system while a writer
/// runs, and opens the store on each copy, as after a power failure.
struct RealDiskTestRun {
  let testRun: CrashTestRun

  private var subject: CrashSubject { testRun.subject }

  private struct Copy {
    let bytes: Data
    let window: BatchWindow
    let moment: String
  }

  func run() throws -> CrashRow {
    var row = CrashRow(store: subject.name, model: "ext4")
    let scratch = try ScratchFolder.make("ext4")
    defer { ScratchFolder.remove(scratch) }
    guard let shim = try FaultShim(in: scratch) else {
      row.remarks.append("no C compiler is installed, so no writer can be stopped")
      return row
    }
    let empty = try DiskImage.formatted(in: scratch)
    let deadline = ContinuousClock.now + testRun.budget.time
    let torn = try tornStates(scratch)
    var round = 0
    while ContinuousClock.now < deadline, row.tried < testRun.budget.states {
      let random = SeededGenerator(seed: testRun.budget.seed &+ UInt64(round))
      // Every second round continues after the torn end of a large write.
      let first = round.isMultiple(of: 2) || torn.isEmpty ? nil : torn[round / 2 % torn.count]
      let phase = first.map { WriterPhase.second(base: $0.base) } ?? .first
      let copies = try copies(
        empty, shim, scratch, random, phase: phase, over: first?.disk)
      row.planned += copies.count
      for copy in copies {
        if ContinuousClock.now >= deadline + .seconds(10) { break }
        try verify(copy, phase, scratch, &row)
      }
      round += 1
      testRun.progress("\(subject.name) ext4: \(row.tried) copies of \(round) writers' disks")
    }
    return row
  }

  /// Returns the disks that the first writer may leave if it is killed during a large write.
  ///
  /// On each disk, this write lacks its last 1,500 bytes. The result contains each disk with the
  /// number of complete batches in the store, but no disk on which the store is defective. The
  /// result is empty if the subject has no second writer, or if strace cannot trace programs.
  private func tornStates(_ scratch: String) throws -> [(disk: DiskModel, base: Int)] {
    guard subject.work.hasContinuation, Recorder.isAvailable() else { return [] }
    let trace = try testRun.record(in: scratch + "/recorded", .first)
    let replay = Replay(trace)
    var checker = StateChecker(subject, .first, scratch: scratch)
    var found: [(disk: DiskModel, base: Int)] = []
    for (point, operation) in trace.operations.enumerated() {
      guard case .write(_, _, let bytes) = operation, bytes.count > 2 * Replay.pageSize else {
        continue
      }
      var state = CrashState(.kill, point: point)
      state.torn = (point, .cut(bytes.count - 1_500))
      var disk = replay.disk(of: state, over: replay.disk(after: point))
      if case .consistent(let numbers) = try checker.outcome(of: &disk), let base = numbers.max() {
        found.append((disk, base))
      }
    }
    return found
  }

  /// Runs a writer step by step, and returns copies of its disk.
  ///
  /// If the writer continues after a first crash, its disk is copied before every call. Otherwise,
  /// the disk is copied before randomly chosen calls. The writer stops after 80 copies.
  private func copies(
    _ empty: Data, _ shim: FaultShim, _ scratch: String, _ generator: SeededGenerator,
    phase: WriterPhase, over disk: DiskModel?
  ) throws -> [Copy] {
    var random = generator
    let image = try DiskImage(in: scratch, holding: empty)
    let folder = image.folder + "/store"
    var arguments = ["write", "--store", subject.name, "--directory", folder]
    var floor = 0
    if let disk, case .second(let base) = phase {
      try disk.write(to: folder)
      arguments += ["--base", "\(base)"]
      floor = base
    } else {
      try Folder.create(folder)
      try subject.work.prepare(URL(filePath: folder, directoryHint: .isDirectory))
    }
    try image.writeBack()
    var writer = try SteppedWriter.start(
      testRun.command + arguments, shim, root: folder, scratch: scratch)
    var copies: [Copy] = []
    var step = 0
    while let call = try writer.nextCall() {
      step += 1
      let chance = Int.random(in: 0..<100, using: &random)
      // Simulate the kernel, which sometimes writes all
      // data, and sometimes writes bytes before names.
      if disk == nil, call == "write", chance < 12 { try image.writeBack() }
      let isCommit = call == "fsync" || call == "rename"
      if disk != nil, chance < (isCommit ? 50 : 15) { try image.writeBackBytes() }
      // Copy most often between two commits of names, where crashes reveal most errors.
      if disk != nil || Int.random(in: 0..<100, using: &random) < (isCommit ? 60 : 8) {
        copies.append(
          Copy(
            bytes: try image.copy(),
            window: writer.window(survivesCrash: subject.survives(.power), floor: floor),
            moment: "before \(call), step \(step)"))
      }
      try writer.resume()
      if copies.count >= 80 { break }
    }
    return copies
  }

  private func verify(
    _ copy: Copy, _ phase: WriterPhase, _ scratch: String, _ row: inout CrashRow
  ) throws {
    let image = try DiskImage(in: scratch, holding: copy.bytes)
    let folder = image.folder + "/store"
    let disk = try? DiskModel(readingFrom: folder)
    let outcome = subject.work.verify(URL(filePath: folder, directoryHint: .isDirectory), phase)
    let verdict = outcome.verdict(copy.window)
    row.add(verdict, .ordered)
    if verdict != .passed, let disk {
      let state = CrashState(.power, point: row.tried)
      try testRun.failures.save(
        state, disk, outcome, verdict, copy.window, phase, subject, &row)
      row.remarks.append("copy \(row.tried), \(copy.moment): \(verdict.rawValue)")
    }
  }
}
