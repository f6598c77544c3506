/// A set of page numbers.
///
/// The set needs little memory both for consecutive pages and for a few distant pages.
struct LogPageSet {
  /// The members of each group of 64 pages, as bits.
  private var groups: [UInt32: UInt64] = [:]
  /// The largest member, or 0 if the set is empty.
  private(set) var maximum: UInt32 = 0

  mutating func insert(_ page: UInt32) {
    groups[page >> 6, default: 0] |= 1 << UInt64(page & 63)
    maximum = max(maximum, page)
  }

  func contains(_ page: UInt32) -> Bool {
    guard let group = groups[page >> 6] else { return false }
    return group & (1 << UInt64(page & 63)) != 0
  }
}
