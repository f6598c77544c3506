/// A sparse index from byte offsets to lines and columns.
///
/// A damaged file can have an error in each of a million values. The index makes the cost of
/// each error independent of the size of the file.
struct XMLLocations: Sendable {
  private struct Entry: Sendable {
    var line: UInt32
    var column: UInt32
  }

  /// The number of bytes between two entries.
  private static let interval = 1024

  private let entries: [Entry]

  init(_ bytes: [UInt8]) {
    var entries: [Entry] = []
    entries.reserveCapacity(bytes.count / Self.interval + 1)
    var current = Entry(line: 1, column: 1)
    for offset in stride(from: 0, through: bytes.count, by: Self.interval) {
      entries.append(current)
      Self.advance(&current, bytes[offset..<min(offset + Self.interval, bytes.count)])
    }
    self.entries = entries
  }

  func location(of offset: Int, in bytes: [UInt8]) -> PropertyListError.Location {
    let offset = min(max(offset, 0), bytes.count)
    let index = min(offset / Self.interval, entries.count - 1)
    guard entries.indices.contains(index) else { return .line(1, column: 1) }
    var entry = entries[index]
    Self.advance(&entry, bytes[index * Self.interval..<offset])
    return .line(Int(entry.line), column: Int(entry.column))
  }

  /// Returns a location in a text that has no index yet.
  static func location(of offset: Int, in bytes: [UInt8]) -> PropertyListError.Location {
    var entry = Entry(line: 1, column: 1)
    advance(&entry, bytes[..<min(max(offset, 0), bytes.count)])
    return .line(Int(entry.line), column: Int(entry.column))
  }

  private static func advance(_ entry: inout Entry, _ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == 0x0a {
        entry.line &+= 1
        entry.column = 1
      } else if byte & 0xc0 != 0x80 {
        // Only the first byte of a scalar counts, not the continuation bytes.
        entry.column &+= 1
      }
    }
  }
}
