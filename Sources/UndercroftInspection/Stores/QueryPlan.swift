/// The steps in which a statement would be executed.
public struct QueryPlan: Sendable, Equatable {
  /// One step, such as the scan of a table.
  public struct Step: Sendable, Equatable {
    /// The number of steps that contain this step.
    public let depth: Int
    /// The description of the step, such as "SCAN book".
    public let text: String

    /// Creates a step.
    public init(depth: Int, text: String) {
      self.depth = depth
      self.text = text
    }
  }

  /// The steps in the order of their execution, in which a step follows the step that contains it.
  public var steps: [Step]
  /// SQL statements that create indexes with which the statement would read fewer rows.
  public var suggestedIndexes: [String]

  /// Creates a plan.
  public init(steps: [Step], suggestedIndexes: [String] = []) {
    self.steps = steps
    self.suggestedIndexes = suggestedIndexes
  }
}
