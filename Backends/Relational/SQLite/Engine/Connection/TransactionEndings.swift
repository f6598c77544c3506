/// The actions and reports that wait for the end of the transaction that is open on a connection.
struct TransactionEndings {
  typealias Action = @Sendable (_ isCommitted: Bool) -> Void

  enum Ending {
    case action(Action)
    /// A change of the table of names and values, which is reported to the gates of the database.
    case entries(EntryWrite)
  }

  private var endings: [Ending] = []

  var isEmpty: Bool { endings.isEmpty }

  var count: Int { endings.count }

  /// Whether the last ending is a change whose names are not known.
  var endsWithUnknownEntries: Bool {
    if case .entries(let write)? = endings.last { write.changes == nil } else { false }
  }

  mutating func append(_ ending: Ending) { endings.append(ending) }

  /// Removes and returns the endings that were added after the first `count`, in the order in which
  /// they were added.
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
