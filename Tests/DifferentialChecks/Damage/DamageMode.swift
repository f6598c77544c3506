import Foundation

/// Inspects damaged files of every format, which must neither trap, nor hang, nor need much memory,
/// nor be changed.
///
/// A result is the inspection of one damaged store.
struct DamageMode: CheckMode {
  let name = "damage"
  /// Replaces the inspection, so that tests can verify that the mode detects a failure.
  var inspect: @Sendable (URL, SampleStore) throws -> Void = { url, sample in
    try InspectedFiles.readAll(at: url, sample)
  }

  /// The processor time in seconds that the inspection of one store may need.
  private static let maximumTime = 2.0
  /// The time in seconds after which the inspection counts as endless.
  private static let maximumWait = 60.0
  /// The number of bytes that the inspection may need in addition to ten times the size of the
  /// files.
  private static let maximumGrowth = 64 << 20
  /// The number of measurements of an inspection that seems to need too much memory.
  private static let maximumAttempts = 5

  func run(_ trial: Trial) throws {
    let sample = trial.choices.pick(try SampleStore.all.get())
    trial.note("the store \(sample.name)")
    var files = sample.files
    trial.choices.repeated(atMost: 4) {
      let damage = FileDamage.generate(trial.choices, files)
      trial.note(damage.description)
      damage.apply(to: &files)
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "undercroft-damage-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try sample.write(files, in: folder)
    let before = try FolderState(of: folder)
    let bytes = files.values.reduce(0) { $0 + $1.count }
    let limit = 10 * bytes + Self.maximumGrowth
    let usage = try usage(limit: limit) { [inspect] in try inspect(url, sample) }
    if let failure = usage.failure {
      throw Difference("error of the inspection", actual: failure, expected: "a StorageError")
    }
    guard usage.seconds <= Self.maximumTime else {
      throw Difference(
        "time of the inspection", actual: "\(usage.seconds) s",
        expected: "at most \(Self.maximumTime) s")
    }
    guard usage.grownByteCount <= limit else {
      throw Difference(
        "memory of the inspection", actual: "\(usage.grownByteCount) bytes",
        expected: "at most \(limit) bytes")
    }
    try trial.expect("files after the inspection", try FolderState(of: folder), before)
  }

  /// Measures an inspection, again if it seems to need too much memory: other threads of the
  /// process allocate memory too, but not during each attempt.
  private func usage(
    limit: Int, of inspection: @escaping @Sendable () throws -> Void
  ) throws -> ResourceUsage {
    var usage = try Self.usage(of: inspection)
    for _ in 1..<Self.maximumAttempts where usage.grownByteCount > limit {
      let repeated = try Self.usage(of: inspection)
      if repeated.grownByteCount < usage.grownByteCount { usage = repeated }
    }
    return usage
  }

  private static func usage(
    of inspection: @escaping @Sendable () throws -> Void
  ) throws -> ResourceUsage {
    guard let usage = try ResourceUsage.measure(waiting: maximumWait, inspection) else {
      throw Difference("endless inspection", actual: "no end", expected: "an end")
    }
    return usage
  }
}
