import UndercroftCore

/// A set of columns of a table: one bit for each of the first 63 columns, and one bit for all other
/// columns.
struct ColumnMask: Sendable, Hashable {
  private(set) var bits: UInt64

  static let none = ColumnMask(bits: 0)
  static let all = ColumnMask(bits: .max)

  mutating func insert(_ position: Int) { bits |= Self.bit(position) }

  mutating func formUnion(_ other: ColumnMask) { bits |= other.bits }

  func isSubset(of other: ColumnMask) -> Bool { bits & ~other.bits == 0 }

  func names(of columns: [String]) -> Set<ExactString> {
    Set(columns.indices.lazy.filter { bits & Self.bit($0) != 0 }.map { columns[$0].exact })
  }

  private static func bit(_ position: Int) -> UInt64 { 1 << UInt64(min(position, 63)) }
}
