import Foundation
import UndercroftCore
import UndercroftInspection

/// The state of an entry that an undo expects: no value, or a value with a fingerprint.
///
/// A fingerprint is a SipHash with a random key, which is a part of the text. Equal values
/// therefore have different texts.
enum EntryState {
  /// The entry has no value.
  case absent
  /// The entry has a value. The first two numbers are the halves of the key.
  case value(UInt64, UInt64, hash: UInt64)

  private static let absentText = "absent"
  private static let prefix = "siphash:"
  private static let digitCount = 16
  private static let hexadecimal = Set("0123456789abcdef".utf8)

  /// Creates the state of an entry.
  ///
  /// - Parameter bytes: the value, or `nil` if there is none.
  init(of bytes: Data?) {
    guard let bytes else {
      self = .absent
      return
    }
    let (key0, key1) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    self = .value(key0, key1, hash: SipHash(key0, key1).hash(bytes))
  }

  /// Returns `nil` if the text is not that of a state.
  init?(_ text: String) {
    if text.isExactly(Self.absentText) {
      self = .absent
      return
    }
    let bytes = Array(text.utf8)
    let digits = bytes.dropFirst(Self.prefix.utf8.count)
    guard bytes.starts(with: Self.prefix.utf8), digits.count == 3 * Self.digitCount,
      digits.allSatisfy({ Self.hexadecimal.contains($0) })
    else { return nil }
    let numbers = stride(from: digits.startIndex, to: digits.endIndex, by: Self.digitCount).map {
      UInt64(String(decoding: digits[$0..<($0 + Self.digitCount)], as: UTF8.self), radix: 16) ?? 0
    }
    self = .value(numbers[0], numbers[1], hash: numbers[2])
  }

  /// The state as text: "absent", or a prefix, the key and the hash in hexadecimal.
  var text: String {
    switch self {
    case .absent: Self.absentText
    case .value(let key0, let key1, let hash):
      Self.prefix
        + [key0, key1, hash].map { number -> String in
          let digits = String(number, radix: 16)
          return String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits
        }.joined()
    }
  }

  /// Returns whether the state is that of an entry.
  ///
  /// - Parameter bytes: the value of the entry, or `nil` if there is none.
  func matches(_ bytes: Data?) -> Bool {
    switch self {
    case .absent: bytes == nil
    case .value(let key0, let key1, let hash):
      bytes.map { SipHash(key0, key1).hash($0) == hash } ?? false
    }
  }
}
