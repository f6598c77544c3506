import UndercroftFoundation

/// JSON in which the values of secret names and the strings with secrets are placeholders.
///
/// The text of a property list or a keyed archive is accepted as well, although some of its tokens
/// are not JSON.
struct RedactedJSON {
  private struct Container {
    /// The name of the present member of an object, or of the array itself.
    var name: String?
    /// Whether the name of the present member announces a secret.
    var isSecret = false
  }

  /// The place of a secret in the JSON.
  struct Secret {
    let range: Range<Int>
    /// Whether the name of the member announces the secret, and not its form.
    let isNamed: Bool
  }

  private var reader: JSONReader
  private let redactor: Redactor
  private let rootName: String?
  /// The number of bytes of the output that are examined, or `nil` for all.
  private let examinedCount: Int?
  /// The part of the text of which the secrets are needed, or `nil` if the text is redacted.
  private let part: Range<Int>?
  private var output: [UInt8] = []
  /// The end of the last token.
  private var lastEnd = 0
  private var containers: [Container] = []
  /// The offset and the depth of the array or object that is replaced as a whole.
  private var hidden: (start: Int, depth: Int)?
  /// The secrets, in their order.
  private(set) var secrets: [Secret] = []
  var isRedacted: Bool { !secrets.isEmpty }
  /// Whether the output contains the whole JSON, and all of it has been examined.
  private(set) var isComplete = false

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Creates redacted JSON, or `nil` if the text is not a JSON object, array or string.
  ///
  /// - Parameters:
  ///   - text: the bytes of the text.
  ///   - name: the name of the key or column, or `nil` if there is none.
  ///   - redactor: the redactor, which makes the placeholders.
  ///   - count: the number of bytes of the output that are examined, or `nil` for all. If the
  ///     output is longer, it ends with the token that contains the last of these bytes.
  ///   - part: the part of the text of which the secrets are needed, or `nil` to redact the text.
  ///     The text is then verified completely, but only tokens in the part are examined.
  init?(
    _ text: some Collection<UInt8>, named name: String?, by redactor: Redactor,
    examining count: Int? = nil, secretsIn part: Range<Int>? = nil
  ) {
    let first = text.prefix(count ?? text.count).first { !ASCIIClass.isSpace($0) }
    guard let first, "{[\"".utf8.contains(first) else { return nil }
    let bytes = Array(text)
    reader = JSONReader(bytes, .propertyListText)
    self.redactor = redactor
    rootName = name
    examinedCount = count
    self.part = part
    if part == nil { output.reserveCapacity(min(bytes.count, count ?? bytes.count)) }
    do throws(JSONReader.Invalid) {
      while needsMore {
        guard let token = try reader.next() else {
          emit(lastEnd..<bytes.count)
          // Of the last token, only the beginning may have been examined.
          isComplete = needsMore
          return
        }
        write(token)
      }
    } catch {
      return nil
    }
  }

  private var needsMore: Bool {
    guard let examinedCount, hidden == nil else { return true }
    return output.count < examinedCount
  }

  private mutating func write(_ token: JSONReader.Token) {
    emit(lastEnd..<token.range.lowerBound)
    lastEnd = token.range.upperBound
    switch token.kind {
    case .begin(let isObject): begin(token.range, isObject: isObject)
    case .end: end(token.range)
    case .comma, .colon: emit(token.range)
    case .key: key(token.range)
    case .string: string(token.range)
    case .scalar: scalar(token.range)
    }
  }

  private var name: String? { containers.isEmpty ? rootName : containers.last?.name }

  private var isNameSecret: Bool { containers.last?.isSecret ?? false }

  /// Returns whether the form of a token is examined.
  private func examines(_ token: Range<Int>) -> Bool { part?.overlaps(token) ?? true }

  // MARK: Containers

  private mutating func begin(_ token: Range<Int>, isObject: Bool) {
    let content = reader.bytes[token.upperBound...].first { !ASCIIClass.isSpace($0) }
    let isEmpty = content == UInt8(ascii: isObject ? "}" : "]")
    if hidden == nil, isNameSecret, !isEmpty { hidden = (token.lowerBound, containers.count) }
    emit(token)
    containers.append(Container(name: isObject ? nil : name))
  }

  private mutating func end(_ token: Range<Int>) {
    containers.removeLast()
    emit(token)
    guard let hidden, hidden.depth == containers.count else { return }
    self.hidden = nil
    let range = hidden.start..<token.upperBound
    emitPlaceholder(for: reader.bytes[range], at: range, isNamed: true)
  }

  // MARK: Scalars

  private mutating func key(_ token: Range<Int>) {
    guard hidden == nil else { return }
    // The values of later members are not in the part.
    if let part, part.upperBound <= token.lowerBound { return }
    guard reader.bytes[token.lowerBound] == UInt8(ascii: "\"") else {
      // A number or a date.
      containers[containers.count - 1] = Container()
      emit(token)
      return
    }
    let content = content(of: token)
    let key = String(decoding: content, as: UTF8.self)
    containers[containers.count - 1] = Container(name: key, isSecret: SecretName.isSecret(key))
    if examines(token), SecretShape.isPresent(in: ASCIIText(content, searching: examinedCount)) {
      emitPlaceholder(for: content, at: token, isNamed: false)
    } else {
      emit(token)
    }
  }

  private mutating func string(_ token: Range<Int>) {
    guard hidden == nil, examines(token) else { return emit(token) }
    let content = content(of: token)
    let isSecret =
      isNameSecret
      || RedactedText.hasSecretShape(ASCIIText(content, searching: examinedCount), named: name)
    if isSecret, !content.isEmpty {
      emitPlaceholder(for: content, at: token, isNamed: isNameSecret)
    } else {
      emit(token)
    }
  }

  /// Returns the bytes of a string without its quotation marks and escapes.
  private func content(of token: Range<Int>) -> [UInt8] {
    let content = reader.bytes[token].dropFirst().dropLast()
    guard content.contains(UInt8(ascii: "\\")),
      let decoded = try? JSONDecoder().decode(String.self, from: Data(reader.bytes[token]))
    else { return Array(content) }
    return Array(decoded.utf8)
  }

  private mutating func scalar(_ token: Range<Int>) {
    guard hidden == nil, examines(token) else { return emit(token) }
    let text = reader.bytes[token]
    let isConstant = ["null", "true", "false", "…"].contains(String(decoding: text, as: UTF8.self))
    // Text in brackets that is not JSON may contain a secret, such as `[password=dune]`.
    let isSecret =
      isNameSecret && !isConstant
      || !text.allSatisfy(Self.isNumberPart)
        && SecretShape.isPresent(in: ASCIIText(text, searching: examinedCount))
    if isSecret {
      emitPlaceholder(for: text, at: token, isNamed: isNameSecret)
    } else {
      emit(token)
    }
  }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    ASCIIClass.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  // MARK: Output

  private mutating func emit(_ range: Range<Int>) {
    if hidden == nil, part == nil { output += reader.bytes[range] }
  }

  private mutating func emitPlaceholder(
    for secret: some Collection<UInt8>, at range: Range<Int>, isNamed: Bool
  ) {
    secrets.append(Secret(range: range, isNamed: isNamed))
    guard part == nil else { return }
    output += "\"\(redactor.placeholder(for: secret))\"".utf8
  }
}
