import UndercroftFoundation

/// JSON in which the values of secret names and the strings with secrets are placeholders.
///
/// The walker is iterative. The walker also accepts the text of a property list, whose scalars are
/// not JSON, and fails for damaged JSON and for JSON that is nested too deeply.
struct RedactedJSON {
  private static let maximumDepth = 512

  private enum Expectation {
    case value
    case valueOrEnd
    case key
    case keyOrEnd
    case colon
    case separatorOrEnd
  }

  private struct Container {
    let isObject: Bool
    /// The name of the member in an object, or of the array itself.
    var name: String?
    var isSecret: Bool
  }

  private let bytes: [UInt8]
  private let redactor: Redactor
  private let rootName: String?
  private var output: [UInt8] = []
  private var containers: [Container] = []
  private var expectation = Expectation.value
  /// The offset and the depth of the array or object that is replaced as a whole.
  private var hidden: (start: Int, depth: Int)?
  private(set) var isRedacted = false

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Creates redacted JSON, or `nil` if the text is not a JSON object, array or string.
  init?(_ bytes: [UInt8], named name: String?, by redactor: Redactor) {
    let first = bytes.first { !ASCIIClass.isSpace($0) }
    guard let first, [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    else { return nil }
    self.bytes = bytes
    self.redactor = redactor
    rootName = name
    output.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      guard let next = step(from: offset) else { return nil }
      offset = next
    }
    guard containers.isEmpty, expectation == .separatorOrEnd else { return nil }
  }

  /// Processes the token at an offset, and returns its end, or `nil` if the token is unexpected.
  private mutating func step(from offset: Int) -> Int? {
    let byte = bytes[offset]
    if ASCIIClass.isSpace(byte) {
      emit(offset..<offset + 1)
      return offset + 1
    }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return open(at: offset)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return close(at: offset)
    case UInt8(ascii: ","):
      guard expectation == .separatorOrEnd, let container = containers.last else { return nil }
      expectation = container.isObject ? .key : .value
    case UInt8(ascii: ":"):
      guard expectation == .colon else { return nil }
      expectation = .value
    case UInt8(ascii: "\""): return string(at: offset)
    default: return scalar(at: offset)
    }
    emit(offset..<offset + 1)
    return offset + 1
  }

  private var expectsValue: Bool { expectation == .value || expectation == .valueOrEnd }

  private var name: String? { containers.isEmpty ? rootName : containers.last?.name }

  private var isNameSecret: Bool { containers.last?.isSecret ?? false }

  // MARK: Containers

  private mutating func open(at offset: Int) -> Int? {
    guard expectsValue, containers.count < Self.maximumDepth else { return nil }
    let isObject = bytes[offset] == UInt8(ascii: "{")
    let content = bytes[(offset + 1)...].first { !ASCIIClass.isSpace($0) }
    let isEmpty = content == UInt8(ascii: isObject ? "}" : "]")
    if hidden == nil, isNameSecret, !isEmpty { hidden = (offset, containers.count) }
    emit(offset..<offset + 1)
    containers.append(
      Container(isObject: isObject, name: isObject ? nil : name, isSecret: false))
    expectation = isObject ? .keyOrEnd : .valueOrEnd
    return offset + 1
  }

  private mutating func close(at offset: Int) -> Int? {
    let isObject = bytes[offset] == UInt8(ascii: "}")
    let isExpected =
      expectation == .separatorOrEnd || expectation == (isObject ? .keyOrEnd : .valueOrEnd)
    guard isExpected, containers.popLast()?.isObject == isObject else { return nil }
    expectation = .separatorOrEnd
    emit(offset..<offset + 1)
    if let hidden, hidden.depth == containers.count {
      self.hidden = nil
      emitPlaceholder(for: bytes[hidden.start...offset])
    }
    return offset + 1
  }

  // MARK: Scalars

  private mutating func string(at offset: Int) -> Int? {
    var end = offset + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { return nil }
    let token = offset..<end + 1
    let isKey = expectation == .key || expectation == .keyOrEnd
    guard isKey || expectsValue else { return nil }
    if hidden != nil {
      expectation = isKey ? .colon : .separatorOrEnd
      return token.upperBound
    }
    let content = content(of: token)
    let isSecret: Bool
    if isKey {
      let key = String(decoding: content, as: UTF8.self)
      containers[containers.count - 1].name = key
      containers[containers.count - 1].isSecret = SecretName.isSecret(key)
      isSecret = SecretShape.isKnown(ASCIIText(content))
      expectation = .colon
    } else {
      isSecret =
        !content.isEmpty
        && (isNameSecret || RedactedText.hasSecretShape(ASCIIText(content), named: name))
      expectation = .separatorOrEnd
    }
    if isSecret { emitPlaceholder(for: content) } else { emit(token) }
    return token.upperBound
  }

  /// Returns the bytes of a string without its quotation marks and escapes.
  private func content(of token: Range<Int>) -> [UInt8] {
    let content = bytes[token].dropFirst().dropLast()
    guard content.contains(UInt8(ascii: "\\")),
      let decoded = try? JSONDecoder().decode(String.self, from: Data(bytes[token]))
    else { return Array(content) }
    return Array(decoded.utf8)
  }

  /// Processes a number, a constant, or another scalar of a property list, such as a date.
  private mutating func scalar(at offset: Int) -> Int? {
    guard expectsValue else { return nil }
    var end = offset
    while end < bytes.count, !Self.scalarEnds.contains(bytes[end]) { end += 1 }
    guard end == bytes.count || !Self.openings.contains(bytes[end]) else { return nil }
    while ASCIIClass.isSpace(bytes[end - 1]) { end -= 1 }
    let token = bytes[offset..<end]
    expectation = .separatorOrEnd
    let isConstant = ["null", "true", "false"].contains(String(decoding: token, as: UTF8.self))
    if hidden == nil, isNameSecret, !isConstant {
      emitPlaceholder(for: token)
    } else {
      emit(offset..<end)
    }
    return end
  }

  private static let openings = Array("\"{[".utf8)
  private static let scalarEnds = Array(",]}\n\r\"{[".utf8)

  // MARK: Output

  private mutating func emit(_ range: Range<Int>) {
    if hidden == nil { output += bytes[range] }
  }

  private mutating func emitPlaceholder(for secret: some Collection<UInt8>) {
    isRedacted = true
    output += "\"\(redactor.placeholder(for: secret))\"".utf8
  }
}
