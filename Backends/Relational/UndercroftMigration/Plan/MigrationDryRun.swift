import UndercroftCore

/// The result of migrating a copy of a database.
///
/// The copy is removed before the result is returned.
public struct MigrationDryRun: Sendable, CustomStringConvertible {
  /// The number of rows of a table before and after the migration.
  public struct RowCount: Sendable, Hashable {
    /// The name of the table.
    public let table: String
    /// The number of rows before the migration, or `nil` if the table did not exist.
    public let before: Int?
    /// The number of rows after the migration, or `nil` if the table does not exist any more.
    public let after: Int?
  }

  /// The plan of the migration, determined before the copy was migrated.
  public let plan: MigrationPlan
  /// The difference between the schemas before and after the steps that were committed.
  public let difference: SchemaDifference
  /// The row counts of each table that exists before or after the migration, sorted by table name.
  ///
  /// Virtual tables, their shadow tables, the tables of the migration history, and the helper
  /// tables that were created for tables declared in Swift are not included.
  public let rowCounts: [RowCount]
  /// The duration of the steps and the checks, without the time for copying the database.
  public let duration: Duration
  /// The failure of a step or a check, or `nil` if the database can be migrated.
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
