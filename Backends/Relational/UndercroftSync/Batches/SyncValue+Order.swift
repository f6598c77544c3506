extension SyncValue {
  /// Returns -1, 0 or 1 if the value is less than, equal to or greater than another value, or `nil`
  /// if either value is NULL.
  ///
  /// Numbers are less than texts, texts are less than blobs, and blobs are less than encrypted
  /// values. Values of these last three types are compared by their bytes.
  func order(relativeTo other: SyncValue) -> Int? {
    guard self != .null, other != .null else { return nil }
    guard rank == other.rank else { return rank < other.rank ? -1 : 1 }
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): return Self.order(lhs, rhs)
    case (.real(let lhs), .real(let rhs)): return Self.order(lhs, rhs)
    case (.integer(let lhs), .real(let rhs)): return Self.order(lhs, exactly: rhs)
    case (.real(let lhs), .integer(let rhs)): return -Self.order(rhs, exactly: lhs)
    default:
      let (lhs, rhs) = (bytes, other.bytes)
      if lhs.lexicographicallyPrecedes(rhs) { return -1 }
      return lhs.count == rhs.count && !rhs.lexicographicallyPrecedes(lhs) ? 0 : 1
    }
  }

  private static func order<Number: Comparable>(_ lhs: Number, _ rhs: Number) -> Int {
    lhs < rhs ? -1 : lhs == rhs ? 0 : 1
  }

  /// Compares an integer with a floating-point number without rounding the integer.
  private static func order(_ integer: Int64, exactly real: Double) -> Int {
    guard real < 0x1p63 else { return -1 }
    guard real >= -0x1p63 else { return 1 }
    let whole = real.rounded(.towardZero)
    let order = order(integer, Int64(whole))
    return order == 0 ? Self.order(whole, real) : order
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text, .malformedText: 2
    case .blob: 3
    case .encrypted: 4
    }
  }

  private var bytes: [UInt8] {
    switch self {
    case .text(let text): [UInt8](text.utf8)
    case .malformedText(let bytes), .blob(let bytes): [UInt8](bytes)
    case .encrypted(let value): [UInt8](value.bytes)
    case .null, .integer, .real: []
    }
  }
}
