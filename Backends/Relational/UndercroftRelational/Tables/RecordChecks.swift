/// The checks in Swift that a table runs on records that are inserted or updated.
struct RecordChecks<Record>: Sendable {
  /// A closure that checks a record as stored, and throws an error to reject the record.
  ///
  /// `passed` is the record that the caller passed, or `nil` if the
  /// caller passed only a part of a record or only assignments.
  typealias Check = @Sendable (_ stored: Record, _ passed: Record?) throws -> Void

  var inserts: [Check] = [] {
    didSet { runsOnInserts = !inserts.isEmpty }
  }
  var updates: [Check] = [] {
    didSet { runsOnUpdates = !updates.isEmpty }
  }
  // Stored flags, because `isEmpty` of an array of a generic
  // type looks up type metadata on every call.
  private(set) var (runsOnInserts, runsOnUpdates) = (false, false)

  var isEmpty: Bool { !runsOnInserts && !runsOnUpdates }

  func runs(on operation: WriteOperation) -> Bool {
    operation == .insert ? runsOnInserts : runsOnUpdates
  }

  subscript(operation: WriteOperation) -> [Check] { operation == .insert ? inserts : updates }
}

/// The operation that is performed on a row.
///
/// An upsert performs either an insert or an update.
enum WriteOperation: Sendable {
  case insert, update
}
