import UndercroftFoundation

/// The keys of a dictionary, in the order of the file.
///
/// Keys are compared like strings of Swift, as in Foundation, so that canonically equivalent keys
/// are equal. If a key is repeated, the last value counts.
final class KeyTable {
  /// The number of keys from which on a search uses an index.
  private static let indexedCount = 17

  private let content: PropertyListDocument.Content
  /// The places of all keys, with ``KeyText/other`` for each key in `others`.
  private let texts: [KeyText]
  /// The keys that are not short ASCII texts, by position.
  private let others: [(position: Int, name: String)]
  /// The last position of each key, or `nil` for a small dictionary.
  private let index: [String: Int]?

  var count: Int { texts.count }

  init(_ range: ElementRange, in list: DecodedList) throws(PropertyListError) {
    var texts: [KeyText] = []
    var others: [(position: Int, name: String)] = []
    texts.reserveCapacity(range.count)
    for position in 0..<range.count {
      let number = try list.element(position, of: range)
      let text = try list.content.keyText(at: number) ?? .other
      if text.length < 0 { others.append((position, try list.string(at: number))) }
      texts.append(text)
    }
    content = list.content
    self.texts = texts
    self.others = others
    index =
      texts.count < Self.indexedCount
      ? nil
      : Dictionary(
        zip(Self.names(texts, others, in: content), texts.indices), uniquingKeysWith: { $1 })
  }

  /// The keys without repetitions.
  var names: [String] {
    let names = Self.names(texts, others, in: content)
    if index?.count == names.count { return names }
    return names.enumerated().filter { position(of: $1) == $0 }.map(\.element)
  }

  private static func names(
    _ texts: [KeyText], _ others: [(position: Int, name: String)],
    in content: PropertyListDocument.Content
  ) -> [String] {
    var others = others.makeIterator()
    return content.withUnsafeBytes { bytes in
      texts.map { text in
        text.length < 0
          ? others.next()?.name ?? ""
          : String(decoding: bytes[text.offset..<text.offset + text.length], as: UTF8.self)
      }
    }
  }

  /// Returns the last position of a key, or `nil` if the dictionary has no such key.
  func position(of name: String) -> Int? {
    if let index { return index[name] }
    let position = textPosition(of: name)
    if let other = others.last(where: { $0.name == name }) {
      return max(other.position, position ?? 0)
    }
    guard position == nil, !name.utf8.allSatisfy({ $0 < 0x80 }) else { return position }
    // A few characters, such as U+212A, are canonically equivalent to an ASCII character.
    return Self.names(texts, others, in: content).lastIndex(of: name)
  }

  private func textPosition(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { name in
      let name = UnsafeRawBufferPointer(name)
      let wanted = KeyText(offset: 0, length: name.count, in: name)
      return content.withUnsafeBytes { bytes in
        texts.lastIndex { wanted.hasSameText(as: $0, in: name, and: bytes) }
      }
    }
  }

  /// Returns whether another dictionary of the list has the same keys in the same order.
  func hasSameKeys(as range: ElementRange, in list: DecodedList) -> Bool {
    guard others.isEmpty, range.count == texts.count else { return false }
    return content.withUnsafeBytes { bytes in
      for position in texts.indices {
        guard let number = try? list.element(position, of: range),
          let text = try? content.keyText(at: number),
          texts[position].hasSameText(as: text, in: bytes, and: bytes)
        else { return false }
      }
      return true
    }
  }
}
