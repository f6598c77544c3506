import Foundation
import ShelfCatalogue
import Synchronization
import Undercroft

/// A reporter that writes the plan, the progress and the result of a migration to standard error.
///
/// If no step runs, nothing is written.
final class MigrationReporter: Sendable {
  private struct State {
    var start = ContinuousClock.now
    var isShown = false
    var progress: ImportProgress?
    var interruption: Interruption?
    var line = LineClock()
  }

  private let name: String
  private let home: String?
  private let plain: Migrator
  private let state: Mutex<State>

  init(_ database: ShelfDatabase, in home: String?, _ progress: ImportProgress?) {
    (name, plain, self.home) = (database.name, database.migrator, home)
    state = Mutex(State(progress: progress))
  }

  /// The migrator, with an event handler that reports each event.
  ///
  /// After Ctrl-C, the handler throws, which stops the migration even within a step.
  var migrator: Migrator {
    var migrator = plain
    migrator.onEvent = { [self] event in try report(event) }
    return migrator
  }

  private func report(_ event: MigrationEvent) throws {
    if case .willMigrate(let plan) = event, !plan.transitions.isEmpty { begin(plan) }
    guard state.withLock({ $0.isShown }) else { return }
    // A migration that has ended cannot be cancelled.
    if case .ended(let outcome) = event { return end(outcome) }
    try state.withLock { $0.progress }?.check()
    switch event {
    case .snapshot(let copied):
      show("\(name): copied \(percent(1 - part(copied.remainingPages, of: copied.totalPages)))")
    case .progress(let transition, let fraction?):
      show("\(name): \(transition.from) → \(transition.to): \(percent(fraction))")
    default: break
    }
  }

  private func begin(_ plan: MigrationPlan) {
    ProgressLine.clear()
    Outcome.say("\(name) was created by an earlier version of shelf and is migrated first:")
    for line in PlanText.lines(plan) { Outcome.note(line) }
    state.withLock { state in
      state.isShown = true
      state.start = .now
      state.line = LineClock()
      if state.progress != nil { return }
      let progress = ImportProgress()
      state.progress = progress
      state.interruption = Interruption { progress.cancel() }
    }
  }

  private func end(_ outcome: MigrationOutcome) {
    ProgressLine.clear()
    let start = state.withLock { state in
      state.interruption?.end()
      state.isShown = false
      return state.start
    }
    guard case .migrated(_, let version, let snapshot) = outcome else { return }
    let took = Int((ContinuousClock.now - start) / .milliseconds(1))
    Outcome.say("\(name) is at \(version) now, after \(took) ms")
    guard let snapshot else { return }
    let fileName = snapshot.location.lastPathComponent
    Outcome.say(
      "the previous state is in \(fileName); to delete it: shelf migrate --discard-snapshot\(option)"
    )
  }

  /// The command-line option that selects this catalogue, or an empty string for the default
  /// catalogue.
  private var option: String {
    guard let home else { return "" }
    let isPlain = home.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
    }
    return " --home " + (isPlain ? home : "'\(home.replacing("'", with: "'\\''"))'")
  }

  private func show(_ text: String) {
    if state.withLock({ $0.line.isDue }) { ProgressLine.show(text) }
  }

  private func part(_ some: Int, of all: Int) -> Double {
    all > 0 ? Double(some) / Double(all) : 0
  }

  private func percent(_ fraction: Double) -> String { "\(Int(fraction * 100)) %" }
}
