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
    /// Whether the file has had later versions than ``to`` already (``Migrator/insertedSteps``).
    public var isInserted = false
    let work: MigrationStep.Work
    var slice: MigrationStep.Slice?
    /// The SQL text that reverts the step, which the migration record stores.
    var downScript: String?

    public var description: String {
      "\(direction.rawValue) from \(from) to \(to)" + (isInserted ? ", inserted" : "")
    }
  }
}
