extension Gate {
  /// A write that passes a gate: a batch of changes, or one value written in chunks.
  package enum Write: Sendable {
    /// A batch of changes, in the order of their application, with the names in the backend.
    case changes([StorageChange])
    /// A value that was written in chunks and is about to
    /// become visible, by its name in the backend.
    case stream(String)

    /// The names in the backend that the write concerns.
    package var names: [String] {
      switch self {
      case .changes(let changes): changes.map(\.name)
      case .stream(let name): [name]
      }
    }
  }
}
