#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A string that is compared, hashed and ordered by its UTF-8 bytes.
///
/// `String` treats canonically equivalent strings as equal, such as "é" encoded as one Unicode
/// scalar and "é" encoded as two. Names in a store, names in a schema and SQL statements differ
/// if their bytes differ, so dictionaries and sets of such strings use this type for their keys.
public struct ExactString: Hashable, Comparable, Sendable {
  /// The wrapped string.
  public let text: String

  /// Creates an exact string without copying the characters.
  @inlinable
  public init(_ text: String) { self.text = text }

  /// Returns whether both strings have the same bytes.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    haveSameBytes(left.text, right.text)
  }

  @usableFromInline
  static func haveSameBytes(_ one: String, _ other: String) -> Bool {
    let isSame = one.utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard left.count == right.count, let first = left.baseAddress,
          let second = right.baseAddress
        else { return left.isEmpty && right.isEmpty }
        return first == second || memcmp(first, second, left.count) == 0
      }
    }
    return isSame.flatMap(\.self) ?? one.utf8.elementsEqual(other.utf8)
  }

  /// Returns whether the bytes of `left` precede the bytes of `right` in the order of `memcmp`.
  public static func < (left: Self, right: Self) -> Bool {
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        let count = min(left.count, right.count)
        guard count > 0, let one = left.baseAddress, let other = right.baseAddress else {
          return left.count < right.count
        }
        let difference = memcmp(one, other, count)
        return difference == 0 ? left.count < right.count : difference < 0
      }
    }
  }

  /// Hashes the UTF-8 bytes of the string.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil { hashCopy(into: &hasher) }
  }

  /// Hashes a bridged Cocoa string, which has no contiguous UTF-8 storage.
  @usableFromInline
  func hashCopy(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates an exact string from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }
}

extension ExactString {
  /// Returns whether the string begins with the bytes of
  /// `prefix`; `String.hasPrefix` compares characters instead.
  package func begins(with prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension Sequence<ExactString> {
  /// Returns the strings that begin with the bytes of `prefix`, sorted by their bytes.
  package func names(withPrefix prefix: String) -> [String] {
    filter { $0.begins(with: prefix) }.map(\.text).sorted(byBytesOf: \.self)
  }
}

extension String {
  /// Returns whether both strings have the same UTF-8
  /// bytes; canonically equivalent strings may differ.
  package func isExactly(_ other: String) -> Bool { ExactString(self) == ExactString(other) }

  /// The string as an ``ExactString``, which is compared, hashed and ordered by its bytes.
  package var exact: ExactString { ExactString(self) }
}
