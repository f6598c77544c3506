/// One step of a migration, in the direction in which it is run.
public struct MigrationMove: Sendable, CustomStringConvertible {
  /// Which way a step is run.
  public enum Direction: String, Sendable {
    case up, down
  }

  /// Which way it is run.
  public let direction: Direction
  /// The version before.
  public let from: String
  /// The version afterwards.
  public let to: String
  /// Whether the file has had later versions than ``to`` already (``Migrator/insertedSteps``).
  public var isInserted = false
  let work: MigrationStep.Work
  var slices: MigrationSlices?
  /// What the record keeps of the way back.
  var downScript: String?

  public var description: String {
    "\(direction.rawValue) from \(from) to \(to)" + (isInserted ? ", inserted" : "")
  }
}
