/// The actions that wait for the end of a transaction, or of an earlier one of the same use of a connection.
struct TransactionEndings {
  private var actions: [TransactionEnding] = []

  var isEmpty: Bool { actions.isEmpty }

  var count: Int { actions.count }

  mutating func append(_ action: @escaping @Sendable (_ isCommitted: Bool) -> Void) {
    actions.append(TransactionEnding(action: action))
  }

  /// Records how the transaction has ended that the undecided actions wait for.
  mutating func decide(isCommitted: Bool) {
    for place in actions.indices where actions[place].isCommitted == nil {
      actions[place].isCommitted = isCommitted
    }
  }

  /// Records that a savepoint was rolled back: the actions that were added after the first `count` wait for nothing else.
  mutating func undo(since count: Int) {
    for place in actions.indices.dropFirst(count) where actions[place].isCommitted == nil {
      actions[place].isCommitted = false
    }
  }

  /// Removes and returns all actions, in the order in which they were added.
  mutating func take() -> [TransactionEnding] {
    if actions.isEmpty { return [] }
    defer { actions = [] }
    return actions
  }
}
