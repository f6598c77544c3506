import Foundation
import UndercroftCore
import UndercroftCrashTesting
import UndercroftMigration
import UndercroftSQLite

/// The crash test of a migration of an old library.
///
/// The number of a batch is a version. 0 is the first version.
struct MigrationWork: FaultWork {
  let scenario: MigrationScenario
  let durability: Durability

  private static let byteCount = 40_000

  /// The content of the old library, which is the same in every run.
  private static let content = Result {
    let folder = URL.temporaryDirectory.appending(path: "undercroft-old-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try OldLibrary(at: folder.appending(path: "old.sqlite"), byteCount: byteCount).content
  }

  var hasContinuation: Bool { false }

  func prepare(_ folder: URL) throws {
    _ = try OldLibrary(at: Self.file(in: folder), byteCount: Self.byteCount)
  }

  private static func file(in folder: URL) -> URL { folder.appending(path: "library.sqlite") }

  private static func number(of version: String) -> Int {
    LibrarySteps.versions.firstIndex(of: version) ?? -1
  }

  func write(in folder: URL, _ phase: WriterPhase, _ reporter: ProgressReporter) throws {
    reporter.report(.begun(LibrarySteps.versions.count - 1))
    do {
      try migrate(folder, failing: scenario.failing)
    } catch  where isExpected(error) {}
    reporter.report(.acknowledged(Self.number(of: scenario.result)))
  }

  private func migrate(_ folder: URL, failing: String?) throws {
    var migrator = LibrarySteps(failing: failing).migrator
    let fallback = MigrationFallback.named(scenario.fallback)
    migrator.fallback = { _ in fallback }
    var options = DatabaseOptions(durability: durability)
    options.migrator = migrator
    try Database(at: Self.file(in: folder), options).close()
  }

  func verify(_ folder: URL, _ phase: WriterPhase) -> CrashOutcome {
    do {
      return try verify(folder)
    } catch {
      return .unusable("\(error)")
    }
  }

  private func verify(_ folder: URL) throws -> CrashOutcome {
    let content = try Self.content.get()
    let finding = LibraryFinding(of: Self.file(in: folder), holding: content)
    if let (trouble, text) = finding.troubles.first {
      return trouble == .unopenable ? .unopenable(text) : .mixture(text)
    }
    if let problem = problem(beside: finding, in: folder, content) { return .mixture(problem) }
    // The corrected migrator must reach the newest version from every state.
    try migrate(folder, failing: nil)
    let end = LibraryFinding(of: Self.file(in: folder), holding: content)
    guard end.version == LibrarySteps.newest, end.troubles.isEmpty else {
      return .unusable("the next migration ends at version \(end.version): \(end.troubles)")
    }
    return .consistent(after: [Self.number(of: finding.version)])
  }

  /// Returns the difference between the old file and its snapshot or preserved copy, or `nil` if
  /// both are complete.
  private func problem(
    beside finding: LibraryFinding, in folder: URL, _ content: LibraryContent
  ) -> String? {
    let names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
    let snapshot = "library.sqlite.version-1.snapshot"
    if finding.isUnfinished || finding.version != "1", !names.contains(snapshot) {
      return "the file \(snapshot) is missing, although the database has version \(finding.version)"
    }
    if finding.isFresh, !names.contains("library.sqlite.kept-1") {
      return "the old file was not preserved"
    }
    for name in names.sorted() where name == snapshot || name.hasPrefix("library.sqlite.kept-") {
      let copy = LibraryFinding(
        of: folder.appending(path: name), holding: content, isReadOnly: true)
      if copy.version != "1" || !copy.troubles.isEmpty {
        return "the file \(name) has version \(copy.version), and not 1: \(copy.troubles)"
      }
    }
    return nil
  }

  func writeDespiteFaults(in folder: URL, isCopying: Bool, _ reporter: ProgressReporter) {
    do {
      try migrate(folder, failing: scenario.failing)
    } catch {
      // A step that fails by design is not a fault.
      if !isExpected(error) {
        reporter.report(.failed(Self.line(for: error)))
      }
    }
  }

  /// Returns the line of progress with which the writer reports an error.
  ///
  /// If a fallback fails, the cause of its failure is only in the message, after the failure of the
  /// step.
  private static func line(for error: any Error) -> String {
    let line = FaultError.line(for: error) { ($0 as? MigrationFailure)?.cause }
    let isFull = "\(error)".contains("free disk space")
    return isFull && line.hasPrefix("migrationFailed ")
      ? "migrationFailed/full" + line.dropFirst(15) : line
  }

  /// Returns whether the error is the failure of the step that fails by design, after which the
  /// fallback succeeded.
  private func isExpected(_ error: any Error) -> Bool {
    guard scenario.end == "end migrationFailed", let error = error as? StorageError,
      let failure = error.underlying as? MigrationFailure
    else { return false }
    return failure.cause is StepFailure && !error.message.contains("could not be restored")
  }

  func recover(in folder: URL, _ reporter: ProgressReporter) {
    let outcome = verify(folder, .first)
    if case .consistent = outcome { return }
    reporter.report(.broken("the process that met the fault finds: \(outcome)"))
  }

  func verify(
    _ folder: URL, after progress: [WriterProgress], readAs contents: [String: Data]?
  ) -> CrashOutcome {
    verify(folder, .first)
  }
}

extension CrashStores {
  /// Migrations with a failing step, one for each fallback, and a migration that does not fail.
  static let migrations: [CrashSubject] = [
    ("migration", MigrationScenario()),
    ("migration-fail", MigrationScenario(failing: "6", fallback: "fail")),
    ("migration-restore", MigrationScenario(failing: "5", fallback: "restoreSnapshot")),
    ("migration-afresh", MigrationScenario(failing: "4", fallback: "recreate")),
  ].flatMap { name, scenario in
    [(Durability.powerLoss, "pl"), (.processDeath, "pd")].map { durability, suffix in
      CrashSubject(
        "\(name)-\(suffix)", durability,
        work: MigrationWork(scenario: scenario, durability: durability))
    }
  }
}
