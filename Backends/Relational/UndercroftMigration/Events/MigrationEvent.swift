public import UndercroftSQLite

/// An event of a migration.
///
/// The events occur in the order of the cases. The events of one step, from ``willRun(_:)`` to
/// ``didRun(_:)``, repeat for each step.
public enum MigrationEvent: Sendable, CustomStringConvertible {
  /// The migration is about to begin, and nothing is changed yet.
  case willMigrate(MigrationPlan)
  /// The copying of the database to a snapshot has made progress, before the first step runs.
  case snapshot(Database.BackupProgress)
  /// A step is about to run, in a transaction that has begun.
  case willRun(MigrationPlan.Transition)
  /// A step has made progress.
  ///
  /// The fraction is from 0 to 1, or `nil` if the step does not report one.
  case progress(MigrationPlan.Transition, fraction: Double?)
  /// A step has run, and its checks are about to begin.
  ///
  /// The commit follows the checks.
  case checking(MigrationPlan.Transition)
  /// A step is committed, together with its entry in the migration history.
  case didRun(MigrationPlan.Transition)
  /// A step, or a check after the step, failed, and the step was rolled back.
  ///
  /// The fallback is about to be carried out.
  case failed(MigrationFailure, MigrationFallback)
  /// The migration has ended successfully, or after a failure that the fallback has handled.
  case ended(MigrationOutcome)

  public var description: String {
    switch self {
    case .willMigrate(let plan): "will migrate \(plan)"
    case .snapshot(let progress):
      "snapshot: \(progress.totalPages - progress.remainingPages) of \(progress.totalPages) pages"
    case .willRun(let transition): "will run \(transition)"
    case .progress(let transition, let fraction):
      "\(transition): \(fraction.map { "\(Int(max(0, min(1, $0)) * 100)) %" } ?? "under way")"
    case .checking(let transition): "checking \(transition)"
    case .didRun(let transition): "did run \(transition)"
    case .failed(let failure, let fallback): "failed (\(fallback)): \(failure)"
    case .ended(let outcome): "ended: \(outcome)"
    }
  }
}
