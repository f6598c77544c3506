import CSQLite
import UndercroftCore

// SQLite reads a placeholder without a value as NULL, which hides a mistake. ``StatementAccess``
// therefore records, as bits, which of the first 64 placeholders have a value. In a statement with
// more placeholders, values are rarely bound one by one.

extension Statement {
  /// Runs `body`, which binds the values of the statement one by one.
  ///
  /// Each of the first 64 placeholders must have a value before the first run.
  func bindingIndividually<Result>(_ body: (borrowing Statement) throws -> Result) throws -> Result
  {
    guard let access = owner?.access.takeUnretainedValue() else { return try body(self) }
    if access.needed == nil {
      access.needed = placeholders
    }
    access.bound = 0
    return try body(self)
  }

  func note(_ position: Int32, isBound: Bool) {
    owner?.access._withUnsafeGuaranteedRef { access in
      if isBound { access.bound |= Self.bit(position) } else { access.bound &= ~Self.bit(position) }
    }
  }

  /// Checks that each of the first 64 placeholders has a value.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if a placeholder has no value.
  func requireValues() throws(StorageError) {
    guard let owner else { return }
    let missing = owner.access._withUnsafeGuaranteedRef { ($0.needed ?? 0) & ~$0.bound }
    guard missing != 0 else { return }
    let position = Int32(missing.trailingZeroBitCount + 1)
    let name = sqlite3_bind_parameter_name(raw, position).map { String(cString: $0) }
    throw .sqliteMisuse(
      """
      cannot run the statement \(printedSQL): no value was bound to the placeholder \
      \(name.map(quoted) ?? "at the position \(position), counted from 1")
      """,
      suggestion: "bind a value to each placeholder, or nil for NULL")
  }

  private static func bit(_ position: Int32) -> UInt64 {
    (1...64).contains(position) ? 1 &<< UInt64(position &- 1) : 0
  }

  /// A bit mask of the placeholders that occur in the SQL, for the first 64 placeholders.
  ///
  /// If placeholders are numbered, as in `?5`, SQLite also counts the smaller numbers, even if they
  /// do not occur in the SQL.
  private var placeholders: UInt64 {
    let names = (0..<sqlite3_bind_parameter_count(raw)).map { offset in
      sqlite3_bind_parameter_name(raw, offset + 1)?.pointee
    }
    let areNumbered = names.contains(CChar(bitPattern: UInt8(ascii: "?")))
    return names.indices.reduce(0) { bits, offset in
      areNumbered && names[offset] == nil ? bits : bits | Self.bit(Int32(clamping: offset + 1))
    }
  }
}
