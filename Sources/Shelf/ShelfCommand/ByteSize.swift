import Foundation

/// A formatter of numbers of bytes for display.
enum ByteSize {
  static func text(_ count: Int64) -> String {
    // `ByteCountFormatter` formats 0 as "Zero KB".
    count == 0 ? "0 bytes" : ByteCountFormatter.string(fromByteCount: count, countStyle: .memory)
  }
}
