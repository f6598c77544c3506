/// A classifier that determines the ``StateOrder`` of states.
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
        // Any flush of a journalling file system commits all earlier names.
        if index < lastFlush { return true }
        hasLost = true
      } else if hasLost {
        return true
      }
    }
    return false
  }

  /// Returns whether a write survived although an earlier write to the same file is lost or torn,
  /// or whether a file lacks pages.
  ///
  /// An operation that changes only the size of a file changes metadata. The loss of such an
  /// operation is ignored, because later writes may survive it without a reordering of data.
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
