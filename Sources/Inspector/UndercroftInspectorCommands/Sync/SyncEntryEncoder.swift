import Foundation
import UndercroftCore
import UndercroftInspection

/// An encoder of entries of synchronisation as the rows of a result, in which secrets are redacted.
struct SyncEntryEncoder {
  static let columns = [
    "entry", "scope", "table", "row", "id", "change", "state", "version", "time", "ageSeconds",
    "author", "attempts", "bytes", "message", "values",
  ]

  private let redactor = Redactor()
  private let now = Date().timeIntervalSince1970

  /// Returns the values of ``columns`` for an entry.
  ///
  /// - Parameter isHidden: whether the values of the database must not be shown.
  func values(_ entry: InspectedSyncEntry, isHidden: Bool) -> [ResultValue] {
    let values: ResultValue =
      isHidden
      ? .absent
      : entry.values.map { .object($0.reduce(into: [:]) { $0[$1.key] = shown($1) }) } ?? .absent
    return [
      .text(entry.kind.rawValue), .text(entry.scope), .text(entry.table), ResultValue(entry.row),
      ResultValue(entry.identifier), ResultValue(entry.change), ResultValue(entry.state),
      Self.number(entry.version), entry.time.map { Self.time($0) } ?? .absent,
      entry.time.map { age($0) } ?? .absent, ResultValue(entry.author),
      Self.number(entry.attempts), Self.number(entry.byteCount),
      ResultValue(isHidden ? nil : entry.message.map { redactor.text(for: $0, named: nil) }),
      values,
    ]
  }

  /// Returns a time as text, or as its number of milliseconds if no calendar contains the time.
  static func time(_ milliseconds: Int64) -> ResultValue {
    // The years from 1970 to 9999.
    guard (0..<253_402_300_800_000).contains(milliseconds) else { return .integer(milliseconds) }
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    return .text(date.formatted(.iso8601))
  }

  private func age(_ milliseconds: Int64) -> ResultValue {
    let seconds = (now - Double(milliseconds) / 1_000).rounded(.down)
    return Int64(exactly: max(0, seconds)).map { .integer($0) } ?? .absent
  }

  private static func number(_ number: Int64?) -> ResultValue {
    number.map { .integer($0) } ?? .absent
  }

  private func shown(_ field: (key: ExactString, value: InspectedValue)) -> ResultValue {
    switch field.value {
    case .text(let text): .text(redactor.text(for: text, named: field.key.text))
    case .bytes(let bytes) where redactor.redacts(name: field.key.text, value: bytes):
      .text(redactor.placeholder(for: bytes))
    default: ResultValue(field.value)
    }
  }
}
