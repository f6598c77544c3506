/// The reason why a model rejects a write, for which the library must throw and change nothing.
struct Refusal: Error, Equatable {
  let reason: String
}

extension Trial {
  /// Runs one write in the model and in the library, and verifies that both have the same result or
  /// that both reject the write.
  ///
  /// The state of the model only changes if the model accepts the write.
  func step<State>(
    _ label: String, _ state: inout State, model: (inout State) throws -> String,
    library: () throws -> String
  ) throws {
    var changed = state
    let expected: Result<String, any Error>
    do {
      expected = .success(try model(&changed))
    } catch let refusal as Refusal {
      expected = .failure(refusal)
    }
    switch expected {
    case .success(let result):
      try check(label, result, library)
      state = changed
    case .failure(let refusal):
      let found = Result { try library() }
      guard case .failure = found else {
        try expect("\(label): refusal", "\(found)", "\(refusal)")
        return
      }
      try expect("\(label): refusal", true, true)
    }
  }
}
