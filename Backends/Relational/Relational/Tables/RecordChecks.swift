/// What is asked of records before they are kept.
struct RecordChecks<Record>: Sendable {
  /// Looks at a record as it would be kept; the other is the one that was handed over, if a whole one was.
  typealias Check = @Sendable (_ kept: Record, _ given: Record?) throws -> Void

  var inserts: [Check] = [] {
    didSet { asksOfInserts = !inserts.isEmpty }
  }
  var updates: [Check] = [] {
    didSet { asksOfUpdates = !updates.isEmpty }
  }
  // Asking an array of a generic type costs a look for the type, on every call.
  private(set) var (asksOfInserts, asksOfUpdates) = (false, false)

  var isEmpty: Bool { !asksOfInserts && !asksOfUpdates }

  func asks(of half: WriteHalf) -> Bool { half == .insert ? asksOfInserts : asksOfUpdates }

  subscript(half: WriteHalf) -> [Check] { half == .insert ? inserts : updates }
}

/// What becomes of a row: an upsert is one or the other.
enum WriteHalf: Sendable {
  case insert, update
}
