extension Gate {
  /// A write that is made through a gate: a batch of changes, or one value written in chunks.
  package enum Write: Sendable {
    /// A batch of changes, in the order in which they are applied. Each change identifies its value
    /// by the name that the backend uses.
    case changes([StorageChange])
    /// A value that was written in chunks and is about to become
    /// visible; the string is the name of the value in the backend.
    case stream(String)

    /// The names of all values that the write sets or removes, in the form that the backend uses.
    package var names: [String] {
      switch self {
      case .changes(let changes): changes.map(\.name)
      case .stream(let name): [name]
      }
    }
  }
}
