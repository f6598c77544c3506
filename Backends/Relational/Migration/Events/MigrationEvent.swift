public import UndercroftSQLite

/// What happens in the course of a migration, in this order.
public enum MigrationEvent: Sendable, CustomStringConvertible {
  /// It is about to begin, and nothing is changed yet.
  case willMigrate(MigrationPlan)
  /// The copy that is made before it is this far.
  case snapshot(BackupProgress)
  /// A step is about to run, in a transaction that has begun.
  case willRun(MigrationMove)
  /// A step is this far, from 0 to 1; `nil` where it does not say.
  case progress(MigrationMove, fraction: Double?)
  /// A step was run; the checks follow, and then the commit.
  case checking(MigrationMove)
  /// A step and the record of it are kept.
  case didRun(MigrationMove)
  /// A step or a check failed, was rolled back, and this is done about it.
  case failed(MigrationFailure, MigrationFallback)
  /// It is over.
  case ended(MigrationOutcome)

  public var description: String {
    switch self {
    case .willMigrate(let plan): "will migrate \(plan)"
    case .snapshot(let progress):
      "snapshot: \(progress.totalPages - progress.remainingPages) of \(progress.totalPages) pages"
    case .willRun(let move): "will run \(move)"
    case .progress(let move, let fraction):
      "\(move): \(fraction.map { "\(Int(max(0, min(1, $0)) * 100)) %" } ?? "under way")"
    case .checking(let move): "checking \(move)"
    case .didRun(let move): "did run \(move)"
    case .failed(let failure, let fallback): "failed (\(fallback)): \(failure)"
    case .ended(let outcome): "ended: \(outcome)"
    }
  }
}
