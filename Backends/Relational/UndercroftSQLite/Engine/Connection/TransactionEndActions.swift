/// The actions to run, and the changes to report, when the open transaction of a connection ends.
struct TransactionEndActions {
  typealias Action = @Sendable (_ isCommitted: Bool) -> Void

  enum Element {
    case action(Action)
    /// A change of the key-value table, whose commit or rollback is reported to ``EntryListeners``.
    case entries(EntryWrite)
  }

  private var endActions: [Element] = []

  var isEmpty: Bool { endActions.isEmpty }

  var count: Int { endActions.count }

  /// Whether the last element is a change that SQL of the application has made to the key-value
  /// table.
  ///
  /// For such a change, the names of the changed values are not known.
  var endsWithUnknownEntries: Bool {
    if case .entries(let write)? = endActions.last { write.changes == nil } else { false }
  }

  mutating func append(_ element: Element) { endActions.append(element) }

  /// Removes and returns the elements that were added after the first `count` elements, in the
  /// order in which they were added.
  mutating func remove(since count: Int = 0) -> [Element] {
    if endActions.count <= count { return [] }
    if count == 0 {
      defer { endActions = [] }
      return endActions
    }
    defer { endActions.removeSubrange(count...) }
    return Array(endActions[count...])
  }
}
