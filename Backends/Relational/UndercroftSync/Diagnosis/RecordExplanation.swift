import UndercroftCore

/// The reasons for the values that the application sees in one row.
///
/// The visible row is the row that was pulled last, changed by the operations of this device that
/// the pulled row does not contain yet. All values are in the wire format, in which a reference is
/// the identifier of the referenced row.
public struct RecordExplanation: Sendable, Hashable {
  /// The table of the row.
  public let table: String
  /// The identifier of the row.
  public let dataIdentifier: DataIdentifier
  /// The version of the row that was pulled last, or 0 if the row has never been pulled, or if its
  /// deletion was pulled last.
  public let version: Int64
  /// The row that was pulled last, or `nil` if the server has none.
  public let serverValues: FieldValues?
  /// The operations of this device that ``serverValues`` does not contain, oldest first.
  public let operations: [Operation]
  /// The row that the application sees, or `nil` if there is none.
  public let visibleValues: FieldValues?
  /// A later version of the row that this database cannot contain at present, or `nil` if there is
  /// none.
  ///
  /// For example, the version violates a constraint.
  public internal(set) var blocked: BlockedRow?
  /// The conflicts of the row, including answered ones, oldest first.
  public internal(set) var conflicts: [Conflict]
}

extension RecordExplanation {
  /// The progress of an operation from the change to the pulled row that contains it.
  public enum Progress: String, Sendable, Hashable, CaseIterable {
    /// The change can still be combined with later ones.
    case captured = "captured"
    /// The change waits to be sent.
    case ready = "ready"
    /// The change is being sent, repeatedly until the result of the server arrives.
    case sent = "sent"
    /// The pulled row contains the change, but the result of the server has not arrived.
    case confirmed = "confirmed"
    /// The result of the server has arrived, but the pulled row does not contain the change yet.
    case acknowledged = "acknowledged"
  }

  /// An operation of this device.
  public struct Operation: Sendable, Hashable {
    /// The identifier of the operation.
    ///
    /// While the operation is ``Progress/captured``, each further change of the row replaces the
    /// identifier.
    public let operationIdentifier: OperationIdentifier
    /// The progress of the operation, from the local change to the pulled row that contains it.
    public let progress: Progress
    /// The kind of the change.
    public let kind: OperationKind
    /// The new values of columns that are not counters.
    public let values: FieldValues
    /// The numbers that are added to counters, or the values of the counters if the operation
    /// inserts the row.
    public let increments: CounterValues
    /// Whether the operation is part of a batch, which changes all rows that meet a condition.
    public let isPartOfBatch: Bool
    /// The conflict that the operation answers, or `nil` if it answers none.
    public let resolves: ConflictIdentifier?
  }

  /// A conflict of the row.
  public struct Conflict: Sendable, Hashable {
    /// The conflict, which names the policy that decided.
    public internal(set) var conflict: SyncConflict
    /// The operation that answers the conflict, or `nil` if the conflict is open.
    ///
    /// The operation was made by this device, or by another device whose answer was pulled.
    public let answer: OperationIdentifier?
  }
}

extension RecordExplanation: CustomStringConvertible {
  /// The explanation as several human-readable lines.
  public var description: String {
    var lines = ["\(table)/\(dataIdentifier)"]
    lines.append(
      version == 0 && serverValues == nil
        ? "  server: no row was pulled, or its deletion was pulled"
        : "  server: version \(version), \(Self.text(serverValues))")
    for operation in operations { lines.append("  operation \(operation)") }
    lines.append("  visible: \(Self.text(visibleValues))")
    if let blocked {
      lines.append("  waiting: version \(blocked.version), because \(blocked.reason)")
    }
    for conflict in conflicts { lines.append("  conflict \(conflict)") }
    return lines.joined(separator: "\n")
  }

  private static func text(_ values: FieldValues?) -> String {
    values.map { $0.isEmpty ? "a row without values" : $0.listed } ?? "no row"
  }
}

extension RecordExplanation.Operation: CustomStringConvertible {
  /// The operation as one line.
  public var description: String {
    var text = "\(operationIdentifier), \(kind.rawValue), \(progress.rawValue)"
    if isPartOfBatch { text += ", part of a batch" }
    if let resolves { text += ", answers the conflict \(resolves)" }
    let additions = increments.sorted { $0.key < $1.key }.map { "\($0.key.text) + \($0.value)" }
    let changes = (values.isEmpty ? [] : [values.listed]) + additions
    return changes.isEmpty ? text : "\(text): \(changes.joined(separator: ", "))"
  }
}

extension RecordExplanation.Conflict: CustomStringConvertible {
  /// The conflict as one line.
  public var description: String {
    var text = "\(conflict.conflictIdentifier), \(conflict.kind)"
    text += conflict.policy.map { ", decided by the policy \($0)" } ?? ""
    text += conflict.message.map { ", \($0)" } ?? ""
    text += answer.map { ", answered by \($0)" } ?? ", open"
    let lost = conflict.values.sorted { $0.key < $1.key }.map { column, value in
      "\(column.text) \(value.value.shown) of \(value.author.replica)"
    }
    return lost.isEmpty ? text : "\(text): lost \(lost.joined(separator: ", "))"
  }
}

extension FieldValues {
  /// The columns in the order of their names, with their values.
  fileprivate var listed: String {
    sorted { $0.key < $1.key }.map { "\($0.key.text) \($0.value.shown)" }
      .joined(separator: ", ")
  }
}

extension SyncValue {
  /// The value as a short human-readable text.
  fileprivate var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): quoted(String(text.unicodeScalars.prefix(80)))
    case .malformedText(let bytes): "a text of \(bytes.count) bytes that is not UTF-8"
    case .blob(let bytes): "a blob of \(bytes.count) bytes"
    case .encrypted(let value): "an encrypted value of \(value.bytes.count) bytes"
    }
  }
}
