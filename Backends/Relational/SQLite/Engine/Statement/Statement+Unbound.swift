import CSQLite
import UndercroftCore

// A placeholder without a value is NULL to SQLite, and so a mistake that nobody sees. Which ones have a value is kept as bits beside what the
// statement reads and writes, of the first 64: more are hardly bound one by one.

extension Statement {
  /// Runs `body`, in which values are bound by hand: each placeholder must have got one before the first run.
  func boundByHand<Result>(_ body: (borrowing Statement) throws -> Result) throws -> Result {
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

  /// - Throws: ``StorageError/Code/misuse`` when a placeholder has no value.
  func requireValues() throws(StorageError) {
    guard let owner else { return }
    let missing = owner.access._withUnsafeGuaranteedRef { ($0.needed ?? 0) & ~$0.bound }
    guard missing != 0 else { return }
    let position = Int32(missing.trailingZeroBitCount + 1)
    let name = sqlite3_bind_parameter_name(raw, position).map { String(cString: $0) }
    throw .sqliteMisuse(
      "cannot run the statement: nothing was bound to placeholder \(name.map(quoted) ?? "\(position)")",
      cure: "bind a value to each placeholder, or nil for NULL")
  }

  private static func bit(_ position: Int32) -> UInt64 {
    (1...64).contains(position) ? 1 &<< UInt64(position &- 1) : 0
  }

  /// All placeholders but those that `?5` has left out.
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
