import Undercroft
import UndercroftSync

/// A line of text that describes one open conflict of a catalogue.
public struct ConflictLine: Sendable, Equatable, CustomStringConvertible {
  /// The first digits of the conflict's identifier, or `nil` for a row that cannot be applied.
  ///
  /// ``Catalogue/answer(_:restoring:)`` finds the conflict by these digits.
  public let identifier: String?
  /// The table of the row in conflict, and the identifier of the row.
  public let row: String
  /// The reason for the conflict, as a sentence.
  public let reason: String
  /// The lost values, each as "column=value", sorted by column.
  public let values: [String]

  public var description: String {
    ([identifier ?? "waits", row + ": " + reason] + values).joined(separator: "  ")
  }

  init(_ conflict: OpenConflict) {
    switch conflict {
    case .lost(let lost):
      identifier = String(lost.conflictIdentifier.text.prefix(8))
      row = "\(lost.table) \(lost.dataIdentifier.text.debugDescription)"
      reason = lost.kind.sentence
      values = lost.values.sorted { $0.key < $1.key }
        .map { "\($0.key.text)=\($0.value.value.text)" }
    case .blocked(let blocked):
      identifier = nil
      row = "\(blocked.table) \(blocked.dataIdentifier.text.debugDescription)"
      reason = "the row of the server cannot be applied yet: \(blocked.reason)"
      values = []
    }
  }
}

extension SyncConflict.Kind {
  fileprivate var sentence: String {
    switch self {
    case .open: "a change waits for an answer"
    case .operationValuesLost: "values of a change lost against a concurrent change"
    case .rowValuesLost: "a value was replaced by a concurrent change"
    case .updateOfMissingRow, .insertOfMissingRow: "the server no longer has the changed row"
    case .changeOfDeletedRow: "the changed row was deleted elsewhere"
    case .deletionLost: "the row was changed elsewhere and is not deleted"
    case .deletionWon: "the row was deleted, including changes of another home"
    case .rowRestored: "a change has restored a deleted row"
    case .stale: "the change is too old to be applied"
    case .rejected: "the server has rejected the change"
    case .groupAborted: "another change of the same group was not applied"
    case .conditionNotMet: "the row no longer meets the condition of the change"
    }
  }
}

extension SyncValue {
  fileprivate var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text.debugDescription
    case .malformedText(let bytes), .blob(let bytes): "\(bytes.count) bytes"
    case .encrypted(let value): "\(value.bytes.count) encrypted bytes"
    }
  }
}
