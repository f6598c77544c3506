/// Tells how far a file system has to go to leave a state.
struct StateClassifier {
  private let replay: Replay
  private let pending: [Int]
  private let lastFlush: Int

  init(_ replay: Replay, _ point: Int, _ pending: [Int]) {
    self.replay = replay
    self.pending = pending
    lastFlush = replay.lastFlush(before: point)
  }

  func order(of state: CrashState) -> StateOrder {
    if hasNamesOutOfOrder(state) { return .namesReordered }
    if hasDataOutOfOrder(state) { return .dataReordered }
    if let torn = state.torn, case .zeros = torn.how { return .orderedZeros }
    return .ordered
  }

  private func hasNamesOutOfOrder(_ state: CrashState) -> Bool {
    var hasLost = false
    for index in pending where replay.trace.operations[index].changedFolder != nil {
      if state.lost.contains(index) {
        // A journalling file system commits all names before with any flush.
        if index < lastFlush { return true }
        hasLost = true
      } else if hasLost {
        return true
      }
    }
    return false
  }

  /// Whether a file kept something although an earlier write to it is lost, torn or lacks pages.
  ///
  /// A change of the size alone is metadata: it may be lost while later bytes are there.
  private func hasDataOutOfOrder(_ state: CrashState) -> Bool {
    if state.pages != nil { return true }
    if let torn = state.torn, case .missing = torn.how { return true }
    var broken: Set<Int> = []
    for index in pending {
      guard case .write(let node, _, _) = replay.trace.operations[index] else { continue }
      let isTorn = state.torn?.operation == index
      if state.lost.contains(index) {
        broken.insert(node)
      } else if broken.contains(node) {
        return true
      } else if isTorn {
        broken.insert(node)
      }
    }
    return false
  }
}
