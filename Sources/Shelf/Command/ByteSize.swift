import Foundation

/// Sizes as people read them.
enum ByteSize {
  static func text(_ count: Int64) -> String {
    // The formatter says "Zero KB".
    count == 0 ? "0 bytes" : ByteCountFormatter.string(fromByteCount: count, countStyle: .memory)
  }
}
