import UndercroftCore

/// A scanner that replaces the named parameters of
/// SQL with placeholders, and collects their values.
///
/// Like SQLite, the scanner recognises only parameters that are whole
/// words outside of string literals, quoted names and comments.
struct SQLTemplate {
  private let text: [UInt8]
  private var position = 0
  private let values: [String: (any SQLBindable)?]
  private var positionalValues: ArraySlice<SQLValue>
  private var bound: [SQLValue] = []
  private var result: [UInt8] = []
  private var failure: StorageError?

  /// Returns the template with its named parameters bound to `values`.
  static func bind(_ template: SQL, _ values: [String: (any SQLBindable)?]) -> SQL {
    var reading = SQLTemplate(template, values)
    reading.read()
    var sql = SQL(
      unchecked: String(decoding: reading.result, as: UTF8.self), arguments: reading.bound)
    sql.failure = template.failure ?? reading.failure
    return sql
  }

  private init(_ template: SQL, _ values: [String: (any SQLBindable)?]) {
    text = Array(template.text.utf8)
    positionalValues = template.arguments[...]
    self.values = values
  }

  private mutating func read() {
    while let first = byte(0) {
      switch (first, byte(1)) {
      case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _), (UInt8(ascii: "`"), _):
        copy(through: [first], from: 1)
      case (UInt8(ascii: "["), _): copy(through: Array("]".utf8), from: 1)
      case (UInt8(ascii: "-"), UInt8(ascii: "-")): copy(through: Array("\n".utf8), from: 2)
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): copy(through: Array("*/".utf8), from: 2)
      case (UInt8(ascii: ":"), let next?) where Self.isWord(next),
        (UInt8(ascii: "@"), let next?) where Self.isWord(next),
        (UInt8(ascii: "$"), let next?) where Self.isWord(next):
        bindNamed()
      case (UInt8(ascii: "?"), _): bindPositional()
      case (let letter, _) where Self.isWord(letter): copy(word())
      default: copy(1)
      }
    }
  }

  private func byte(_ offset: Int) -> UInt8? {
    position + offset < text.count ? text[position + offset] : nil
  }

  /// Returns whether the byte can be part of a word: an ASCII
  /// letter or digit, `_`, `$`, or a byte that is not ASCII.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Returns the length of the word that begins `start` bytes after the current position.
  private func word(after start: Int = 0) -> Int {
    var count = 0
    while let next = byte(start + count), Self.isWord(next) { count += 1 }
    return count
  }

  private mutating func copy(_ count: Int) {
    let end = min(position + count, text.count)
    result += text[position..<end]
    position = end
  }

  /// Copies the text through the next occurrence of `end`, or
  /// the whole remaining text if `end` does not occur again.
  ///
  /// The search begins `start` bytes after the current position. A
  /// doubled quote inside a literal is treated as the end of one literal
  /// and the beginning of another, which does not change the copied text.
  private mutating func copy(through end: [UInt8], from start: Int) {
    var count = start
    while byte(count) != nil {
      if text[(position + count)...].starts(with: end) { return copy(count + end.count) }
      count += 1
    }
    copy(count)
  }

  private mutating func bindNamed() {
    let count = word(after: 1) + 1
    let name = String(decoding: text[position..<position + count], as: UTF8.self)
    guard let value = values.exactly(named: name) else {
      failure =
        failure
        ?? .sqliteMisuse(
          """
          cannot bind the parameter \(quoted(name)) of the SQL \
          \(StorageError.printable(String(decoding: text, as: UTF8.self))): the parameter has no \
          value
          """,
          suggestion: "pass a value for this name to SQL(_:binding:), or nil for NULL")
      return copy(count)
    }
    do throws(StorageError) {
      bound.append(try value?.sqlValue() ?? .null)
    } catch {
      failure = failure ?? error.within("cannot bind the parameter \(quoted(name))")
    }
    result.append(UInt8(ascii: "?"))
    position += count
  }

  /// Copies the next `?` of the template, and binds the value that was interpolated there.
  private mutating func bindPositional() {
    if let value = positionalValues.popFirst() { bound.append(value) }
    copy(1)
  }
}
