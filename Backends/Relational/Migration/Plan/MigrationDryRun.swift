import UndercroftCore

/// What a migration did to a copy of the database, which is gone by now.
public struct MigrationDryRun: Sendable, CustomStringConvertible {
  /// How many rows a table had and has.
  public struct RowCount: Sendable, Hashable {
    /// The name of the table.
    public let table: String
    /// Before; `nil` when the table was not there.
    public let before: Int?
    /// Afterwards; `nil` when it is not there any more.
    public let after: Int?
  }

  /// What was planned.
  public let plan: MigrationPlan
  /// What became different in the schema, those steps alone counted that ran.
  public let difference: SchemaDifference
  /// All tables of before and afterwards, by their names; those of a virtual table's module are left out.
  public let rowCounts: [RowCount]
  /// How long the steps and the checks took, without the copying.
  public let duration: Duration
  /// What failed; `nil` when the database can be migrated.
  public let failure: MigrationFailure?

  public var description: String {
    var lines = ["\(plan)"]
    if !difference.isEmpty { lines.append("\(difference)") }
    lines += rowCounts.filter { $0.before != $0.after }.map { count in
      "  \(quoted(count.table)): \(count.before.map { "\($0)" } ?? "-") → \(count.after.map { "\($0)" } ?? "-") rows"
    }
    lines.append(failure.map { "\($0)" } ?? "succeeds")
    return lines.joined(separator: "\n")
  }
}
