/// The actions that wait for the end of the transaction that is open on a connection.
struct TransactionEndings {
  typealias Action = @Sendable (_ isCommitted: Bool) -> Void

  private var actions: [Action] = []

  var isEmpty: Bool { actions.isEmpty }

  var count: Int { actions.count }

  mutating func append(_ action: @escaping Action) { actions.append(action) }

  /// Removes and returns the actions that were added after the first `count`, in the order in which they were added.
  mutating func take(since count: Int = 0) -> [Action] {
    if actions.count <= count { return [] }
    defer { actions.removeSubrange(count...) }
    return Array(actions[count...])
  }
}
