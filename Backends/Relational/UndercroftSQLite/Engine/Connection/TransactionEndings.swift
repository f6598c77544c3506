/// The actions and reports that wait for the end of the transaction that is open on a connection.
struct TransactionEndings {
  typealias Action = @Sendable (_ isCommitted: Bool) -> Void

  enum Ending {
    case action(Action)
    /// A change of the key-value table, which is reported to the gates of the database.
    case entries(EntryWrite)
  }

  private var endings: [Ending] = []

  var isEmpty: Bool { endings.isEmpty }

  var count: Int { endings.count }

  /// Whether the last element is a change of unknown names in the key-value table.
  var endsWithUnknownEntries: Bool {
    if case .entries(let write)? = endings.last { write.changes == nil } else { false }
  }

  mutating func append(_ ending: Ending) { endings.append(ending) }

  /// Removes and returns the elements that were added after the first `count`, in the order in
  /// which they were added.
  mutating func take(since count: Int = 0) -> [Ending] {
    if endings.count <= count { return [] }
    if count == 0 {
      defer { endings = [] }
      return endings
    }
    defer { endings.removeSubrange(count...) }
    return Array(endings[count...])
  }
}
