/// The backends through which one use of a connection has written to the table of names and values.
struct EntryWrites {
  enum Writers {
    case none
    case one(EntryTable)
    /// Several backends, or raw SQL.
    case any

    mutating func add(_ other: Writers) {
      switch (self, other) {
      case (_, .none): break
      case (.none, _): self = other
      case (.one(let table), .one(let second)) where table === second: break
      default: self = .any
      }
    }
  }

  /// The backend that is writing at the moment; `nil` for raw SQL.
  var writer: EntryTable?
  /// The writers of the open transaction.
  private var pending = Writers.none
  private var committed = Writers.none
  /// Whether the open transaction has written to the table.
  private(set) var isPending = false

  /// Records that a statement of the present writer is about to run.
  mutating func note(isCommitted: Bool) {
    let writers = writer.map(Writers.one) ?? .any
    if isCommitted { return committed.add(writers) }
    pending.add(writers)
    isPending = true
  }

  /// Records the end of the transaction.
  mutating func end(isCommitted: Bool) {
    if isCommitted { committed.add(pending) }
    pending = .none
    isPending = false
  }

  /// Ends the use of the connection, and returns whose writes were committed.
  mutating func takeCommitted() -> Writers {
    if isPending { end(isCommitted: false) }
    guard case .none = committed else {
      defer { committed = .none }
      return committed
    }
    return .none
  }
}
