/// The checks in Swift that a table runs on records that are inserted or updated.
struct RecordChecks<Record>: Sendable {
  /// Checks the record as stored.
  ///
  /// `given` is the record that the caller passed, or `nil` if
  /// the caller passed only a part of a record.
  typealias Check = @Sendable (_ kept: Record, _ given: Record?) throws -> Void

  var inserts: [Check] = [] {
    didSet { asksOfInserts = !inserts.isEmpty }
  }
  var updates: [Check] = [] {
    didSet { asksOfUpdates = !updates.isEmpty }
  }
  // Stored flags, because `isEmpty` of an array of a generic
  // type looks up type metadata on every call.
  private(set) var (asksOfInserts, asksOfUpdates) = (false, false)

  var isEmpty: Bool { !asksOfInserts && !asksOfUpdates }

  func asks(of half: WriteOperation) -> Bool { half == .insert ? asksOfInserts : asksOfUpdates }

  subscript(half: WriteOperation) -> [Check] { half == .insert ? inserts : updates }
}

/// The operation that is performed on a row.
///
/// An upsert performs one of the two.
enum WriteOperation: Sendable {
  case insert, update
}
