/// What passes a gate: a batch of changes, or one value written in chunks.
public enum Write: Sendable {
  /// Changes that will be applied in this order, as the backend's names see them.
  case changes([Change])
  /// A value that was written in chunks and is about to show.
  case stream(String)

  /// The names that the write concerns.
  public var names: [String] {
    switch self {
    case .changes(let changes): changes.map(\.name)
    case .stream(let name): [name]
    }
  }
}
