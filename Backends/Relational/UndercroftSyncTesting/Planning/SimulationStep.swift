import UndercroftSync

/// The kind of a step of a history.
enum SimulationAction: String, CaseIterable {
  case insert = "insert"
  case reinsert = "reinsert"
  case update = "update"
  case updateMany = "update many"
  case upsert = "upsert"
  case replace = "replace"
  case delete = "delete"
  case group = "change atomically"
  case answer = "answer"
  case seal = "seal"
  case push = "push"
  case pull = "pull"
  case execute = "execute"
  case upgrade = "upgrade"
  case backUp = "back up"
  case restore = "restore"
  case clone = "clone"
  case compact = "compact"
  case backUpServer = "back up server"
  case restoreServer = "restore server"
}

/// One step of a history: an action of a device, after which the messages that are due arrive.
struct SimulationStep {
  var action: SimulationAction
  /// The number of the device.
  var device: Int
  /// The seed of all choices of the step, so that these choices do not depend on other steps.
  ///
  /// The search for a shorter history can therefore remove other steps.
  var seed: UInt64
  /// The number of the statement before which the process of the device ends, or `nil` if the
  /// process does not end.
  var deviceFuse: Int?
  /// The number of the store access before which the process of the server ends, or `nil` if the
  /// process does not end.
  var serverFuse: Int?
}

extension SimulationStep {
  /// Returns the scope that the device seals, pushes, pulls or executes, or that the server
  /// compacts.
  ///
  /// A separate random generator chooses the scope. So in a history with one scope, this function
  /// does not affect the other random choices of the step.
  func scope(in shape: SimulationShape) -> ScopeIdentifier {
    var random = SimulationRandom(seed: seed ^ 0x6d6d_6d6d_6d6d_6d6d)
    return random.element(of: shape.scopes) ?? shape.scopes[0]
  }
}

extension SimulationStep: CustomStringConvertible {
  var description: String {
    var text = "device \(device): \(action.rawValue)"
    if let deviceFuse { text += ", ends before statement \(deviceFuse)" }
    if let serverFuse { text += ", server ends before access \(serverFuse)" }
    return text
  }
}
