/// A reader of the tokens of JSON (RFC 8259), which verifies their order.
///
/// The reader is iterative, and fails for JSON that is nested too deeply.
struct JSONReader {
  /// The error for text that is not JSON, or that is nested too deeply.
  struct Invalid: Error {}

  /// The text that the reader accepts.
  enum Syntax {
    case json
    /// Also the text of a property list, whose scalars are not JSON, such as dates, and of a keyed
    /// archive, in which the class and the number of an object precede its fields.
    case propertyListText
  }

  /// A token, and its place in the text.
  struct Token {
    enum Kind: Equatable {
      case begin(isObject: Bool)
      case end
      case comma
      case colon
      case key
      case string
      /// A number, a constant, or another scalar of a property list.
      case scalar
    }

    let kind: Kind
    let range: Range<Int>
    /// Whether the token is the first one in its array or object, which is empty if it is the end.
    let isFirst: Bool
  }

  private enum Expectation {
    case value
    case valueOrEnd
    case key
    case keyOrEnd
    case colon
    case separatorOrEnd
  }

  private static let maximumDepth = 512

  let bytes: [UInt8]
  private let syntax: Syntax
  private var offset = 0
  /// Whether each open container is an object, beginning with the outermost one.
  private var containers: [Bool] = []
  private var expectation = Expectation.value

  init(_ bytes: [UInt8], _ syntax: Syntax = .json) {
    self.bytes = bytes
    self.syntax = syntax
  }

  /// Returns the offset of the first token that is not valid in JSON, or the size of a text that is
  /// incomplete, or `nil` if the text is JSON.
  static func invalidOffset(in bytes: [UInt8]) -> Int? {
    var reader = JSONReader(bytes)
    do throws(Invalid) {
      while try reader.next() != nil {}
      return nil
    } catch {
      return reader.offset
    }
  }

  /// The number of arrays and objects that are open.
  var depth: Int { containers.count }

  /// Returns the next token, or `nil` at the end of the text.
  mutating func next() throws(Invalid) -> Token? {
    while offset < bytes.count, isSpace(bytes[offset]) { offset += 1 }
    guard offset < bytes.count else {
      guard containers.isEmpty, expectation == .separatorOrEnd else { throw Invalid() }
      return nil
    }
    let (start, isFirst) = (offset, expectation == .keyOrEnd || expectation == .valueOrEnd)
    let (kind, end) = try token(at: offset)
    offset = end
    return Token(kind: kind, range: start..<end, isFirst: isFirst)
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    ASCIIClass.isSpace(byte) && (syntax != .json || byte != 0x0b && byte != 0x0c)
  }

  private mutating func token(at offset: Int) throws(Invalid) -> (Token.Kind, end: Int) {
    switch bytes[offset] {
    case UInt8(ascii: "{"): return try begin(isObject: true)
    case UInt8(ascii: "["): return try begin(isObject: false)
    case UInt8(ascii: "}"): return try end(isObject: true)
    case UInt8(ascii: "]"): return try end(isObject: false)
    case UInt8(ascii: ","):
      guard expectation == .separatorOrEnd, let isObject = containers.last else { throw Invalid() }
      expectation = isObject ? .key : .value
      return (.comma, offset + 1)
    case UInt8(ascii: ":"):
      guard expectation == .colon else { throw Invalid() }
      expectation = .value
      return (.colon, offset + 1)
    case UInt8(ascii: "\""): return try string()
    default: return try scalar()
    }
  }

  private var expectsValue: Bool { expectation == .value || expectation == .valueOrEnd }

  private mutating func begin(isObject: Bool) throws(Invalid) -> (Token.Kind, end: Int) {
    guard expectsValue, containers.count < Self.maximumDepth else { throw Invalid() }
    containers.append(isObject)
    expectation = isObject ? .keyOrEnd : .valueOrEnd
    return (.begin(isObject: isObject), offset + 1)
  }

  private mutating func end(isObject: Bool) throws(Invalid) -> (Token.Kind, end: Int) {
    let isExpected =
      expectation == .separatorOrEnd || expectation == (isObject ? .keyOrEnd : .valueOrEnd)
    guard isExpected, containers.popLast() == isObject else { throw Invalid() }
    expectation = .separatorOrEnd
    return (.end, offset + 1)
  }

  private mutating func string() throws(Invalid) -> (Token.Kind, end: Int) {
    let isKey = expectsKey
    guard isKey || expectsValue else { throw Invalid() }
    let end =
      switch syntax {
      case .json: JSONToken.stringEnd(from: offset, in: bytes)
      case .propertyListText: JSONToken.quotationEnd(from: offset, in: bytes)
      }
    guard let end else { throw Invalid() }
    expectation = isKey ? .colon : .separatorOrEnd
    return (isKey ? .key : .string, end)
  }

  private var expectsKey: Bool { expectation == .key || expectation == .keyOrEnd }

  /// Returns a token of the text of a property list that JSON does not have, or `nil` if there is
  /// none at the present offset.
  private mutating func propertyListToken() throws(Invalid) -> (Token.Kind, end: Int)? {
    if expectsKey {
      if bytes[offset...].starts(with: PropertyListToken.omission) {
        expectation = .separatorOrEnd
        return (Token.Kind.scalar, end: offset + PropertyListToken.omission.count)
      }
      guard let end = PropertyListToken.keyEnd(from: offset, in: bytes) else { return nil }
      expectation = .colon
      return (Token.Kind.key, end: end)
    }
    guard expectsValue else { return nil }
    if let start = PropertyListToken.labelEnd(from: offset, in: bytes) {
      offset = start
      return try begin(isObject: bytes[start] == UInt8(ascii: "{"))
    }
    guard let end = PropertyListToken.noteEnd(from: offset, in: bytes) else { return nil }
    expectation = .separatorOrEnd
    return (Token.Kind.scalar, end: end)
  }

  private mutating func scalar() throws(Invalid) -> (Token.Kind, end: Int) {
    if syntax == .propertyListText, let token = try propertyListToken() { return token }
    guard expectsValue else { throw Invalid() }
    let end =
      switch syntax {
      case .json: JSONToken.scalarEnd(from: offset, in: bytes)
      case .propertyListText: JSONToken.plainEnd(from: offset, in: bytes)
      }
    guard let end else { throw Invalid() }
    expectation = .separatorOrEnd
    return (.scalar, end)
  }
}
