import UndercroftCore
import UndercroftFoundation

/// A description of what a migration would do.
public struct MigrationPlan: Sendable, CustomStringConvertible {
  /// The version of the database, or `nil` for a new database.
  public let from: String?
  /// The version that the database would have after the migration.
  public let to: String
  /// The steps in the order in which they would run.
  ///
  /// Empty for a new database and for a database that already has the target version.
  public let transitions: [MigrationPlan.Transition]
  /// The name of the adoption that recognised the version, or `nil` if the database is new or
  /// contains a migration history.
  public let adoption: String?
  /// Whether the migration would continue an earlier migration that was interrupted.
  public let isUnfinished: Bool
  /// The snapshot that would be created first, or that the unfinished migration created.
  ///
  /// `nil` if there is none.
  public let snapshot: MigrationSnapshot?
  /// The size of the database in bytes, or `nil` if there is no ``snapshot``.
  ///
  /// A new snapshot needs this number of bytes as free space beside the database.
  public let snapshotByteCount: Int?

  /// Whether the migration would change nothing.
  public var isEmpty: Bool { from == to && transitions.isEmpty && adoption == nil && !isUnfinished }

  public var description: String {
    guard let from else { return "new: is created at \(to)" }
    if isEmpty { return "at \(from): nothing to do" }
    var lines = ["from \(from) to \(to)"]
    if let adoption { lines[0] += ", adopted by \(quoted(adoption))" }
    if isUnfinished { lines[0] += ", continuing where it was interrupted" }
    if let snapshot {
      let size = snapshotByteCount.map { " (\($0) bytes)" } ?? ""
      lines.append("  snapshot  \(snapshot.location.lastPathComponent)\(size)")
    }
    lines += transitions.map { transition in
      "  \(transition.direction.rawValue.padded(to: 8))  \(transition.from) → \(transition.to)"
        + (transition.isInserted ? " (inserted)" : "")
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}

extension MigrationPlan {
  /// One step of a migration, in the direction in which it runs.
  public struct Transition: Sendable, CustomStringConvertible {
    /// The direction of a step: to a later version or back.
    public enum Direction: String, Sendable {
      case up = "up"
      case down = "down"
    }

    /// The direction in which the step runs.
    public let direction: Direction
    /// The version before the step.
    public let from: String
    /// The version after the step.
    public let to: String
    /// Whether the step was inserted before steps that have been applied to the file already.
    /// (``Migrator/insertedSteps``)
    public var isInserted = false
    let work: MigrationStep.Work
    var slice: MigrationStep.Slice?
    /// The SQL text that reverts the step, or `nil` if there is none.
    ///
    /// The migration history stores this text.
    var downScript: String?

    public var description: String {
      "\(direction.rawValue) from \(from) to \(to)" + (isInserted ? ", inserted" : "")
    }
  }
}
