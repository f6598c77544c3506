import Undercroft

/// A formatter of the result of a dry run of a migration, for display.
enum DryRunText {
  static func lines(_ run: MigrationDryRun) -> [String] {
    let plan = PlanText.lines(run.plan)
    if run.plan.transitions.isEmpty { return plan }
    let changes = "\(run.difference)".split(separator: "\n").map(String.init)
    let counts = run.rowCounts.map { count in
      "rows  \(count.table): \(text(count.before)) → \(text(count.after))"
    }
    let took = Int(run.duration / .milliseconds(1))
    let end = run.failure.map { "fails: \($0)" } ?? "succeeds, in \(took) ms"
    return plan + changes + counts + [end]
  }

  private static func text(_ count: Int?) -> String { count.map { "\($0)" } ?? "none" }
}
