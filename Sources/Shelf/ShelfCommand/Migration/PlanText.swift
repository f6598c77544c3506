import Foundation
import Undercroft

/// A formatter of a migration plan for display.
enum PlanText {
  /// Returns one line for the versions, one line for the snapshot
  /// if the migration makes one, and one line for each step.
  static func lines(_ plan: MigrationPlan) -> [String] {
    guard let start = plan.from else { return ["new: is created at \(plan.to)"] }
    if plan.transitions.isEmpty { return ["at \(start): nothing to do"] }
    var first = "from \(start) to \(plan.to)"
    if let adoption = plan.adoption { first += ", identified by \(adoption)" }
    if plan.isUnfinished { first += ", continuing where it was interrupted" }
    var lines = [first]
    if let snapshot = plan.snapshot {
      let size = plan.snapshotByteCount.map { ", \(ByteSize.text(Int64($0)))" } ?? ""
      lines.append("copy  \(snapshot.location.path(percentEncoded: false).fromHere)\(size)")
    }
    return lines + plan.transitions.map { "step  \($0.from) → \($0.to)" }
  }
}
