import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// A position in the rows of a virtual table of named values.
///
/// The cursor stores the names of its rows, and reads a value only if a column needs the value.
final class EntryCursor {
  /// The columns of the table.
  static let declaration =
    "CREATE TABLE entry(name TEXT PRIMARY KEY NOT NULL, value, bytes INTEGER) WITHOUT ROWID"

  private enum CurrentValue {
    case unread
    case read(Data?)
  }

  let source: EntrySource
  private var entries: [InspectionEntry] = []
  private var value = CurrentValue.unread
  /// The number of the current row, counted from 0.
  private(set) var position = 0

  init(_ source: EntrySource) { self.source = source }

  /// Whether the position is after the last row.
  var isAtEnd: Bool { position >= entries.count }

  /// Moves to the first row of a search.
  func search(_ search: EntrySearch) throws {
    position = 0
    value = .unread
    switch search {
    case .nothing: entries = []
    case .prefix(let prefix): entries = try source.entries(withPrefix: prefix)
    case .name(let name): try moveToEntry(named: name, nameBytes: nil)
    case .nameBytes(let bytes):
      try moveToEntry(named: String(decoding: bytes, as: UTF8.self), nameBytes: bytes)
    }
  }

  /// Moves to the entry with a name, whose bytes are passed if they are not text.
  ///
  /// One lookup finds the entry and its value. A listing could be as long as the store.
  private func moveToEntry(named name: String, nameBytes: Data?) throws {
    let bytes = try source.value(
      of: InspectionEntry(name: name, byteCount: nil, nameBytes: nameBytes))
    entries =
      bytes.map { [InspectionEntry(name: name, byteCount: $0.count, nameBytes: nameBytes)] } ?? []
    value = .read(bytes)
  }

  /// Moves to the next row.
  func advance() {
    position += 1
    value = .unread
  }

  /// Returns the value of a column in the current row.
  func column(_ index: Int32) throws -> SQLValue {
    guard position < entries.count else { return .null }
    let entry = entries[position]
    switch index {
    case 0: return entry.nameBytes.map { .blob($0) } ?? .text(entry.name)
    case 1: return try currentValue(entry).map(Self.converted) ?? .null
    default:
      let count = try entry.byteCount ?? currentValue(entry)?.count
      return count.map { .integer(Int64($0)) } ?? .null
    }
  }

  /// Returns the bytes of the current row, or `nil` if another process has removed the entry.
  private func currentValue(_ entry: InspectionEntry) throws -> Data? {
    if case .read(let bytes) = value { return bytes }
    let bytes = try source.value(of: entry)
    value = .read(bytes)
    return bytes
  }

  /// Returns bytes as text if they are valid UTF-8 without NUL, and as a blob otherwise.
  ///
  /// Many functions of SQLite ignore the part of a text after a NUL character.
  private static func converted(_ bytes: Data) -> SQLValue {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      return .blob(bytes)
    }
    return .text(text)
  }
}
