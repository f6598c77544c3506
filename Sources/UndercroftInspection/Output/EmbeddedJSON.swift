package import UndercroftFoundation

/// JSON (RFC 8259) that is written as a part of other JSON, with its numbers as they are stored.
///
/// The reader is iterative. Each token is copied, so that numbers are not rounded, and equal names
/// of members remain.
package struct EmbeddedJSON {
  private static let maximumDepth = 512
  /// The maximum level of indentation, so that spaces do not make a deep value much larger.
  private static let maximumIndentation = 40

  private enum Expectation {
    case value
    case valueOrEnd
    case key
    case keyOrEnd
    case colon
    case separatorOrEnd
  }

  private let bytes: [UInt8]
  private var output: [UInt8] = []
  private let indentation: Int
  /// The closing brackets of the containers that are open.
  private var closings: [UInt8] = []
  private var expectation = Expectation.value

  /// The JSON on lines with indentation, in which characters that control a terminal are escaped.
  package var text: String { JSONText.safe(String(decoding: output, as: UTF8.self)) }

  /// Reads JSON, or returns `nil` if the bytes are not valid JSON in UTF-8 or nested too deeply.
  ///
  /// - Parameters:
  ///   - bytes: the JSON.
  ///   - indentation: the level of indentation of the lines after the first one.
  package init?(_ bytes: Data, indentation: Int = 0) {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    self.bytes = Array(bytes)
    self.indentation = indentation
    var offset = 0
    while offset < self.bytes.count {
      guard let end = token(at: offset) else { return nil }
      offset = end
    }
    guard closings.isEmpty, expectation == .separatorOrEnd else { return nil }
  }

  /// Copies the token at an offset, and returns its end, or `nil` if the token is unexpected.
  private mutating func token(at offset: Int) -> Int? {
    let byte = bytes[offset]
    switch byte {
    case 0x20, 0x09, 0x0a, 0x0d: return offset + 1
    case UInt8(ascii: "{"), UInt8(ascii: "["): return open(at: offset)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return close(at: offset)
    case UInt8(ascii: ","):
      guard expectation == .separatorOrEnd, let closing = closings.last else { return nil }
      expectation = closing == UInt8(ascii: "}") ? .key : .value
      output.append(byte)
      breakLine()
      return offset + 1
    case UInt8(ascii: ":"):
      guard expectation == .colon else { return nil }
      expectation = .value
      output += " : ".utf8
      return offset + 1
    case UInt8(ascii: "\""): return string(at: offset)
    default: return scalar(at: offset)
    }
  }

  private mutating func open(at offset: Int) -> Int? {
    guard expectation == .value || expectation == .valueOrEnd,
      closings.count < Self.maximumDepth
    else { return nil }
    beginElement()
    let isObject = bytes[offset] == UInt8(ascii: "{")
    closings.append(UInt8(ascii: isObject ? "}" : "]"))
    expectation = isObject ? .keyOrEnd : .valueOrEnd
    output.append(bytes[offset])
    return offset + 1
  }

  private mutating func close(at offset: Int) -> Int? {
    let isEmpty = expectation == .keyOrEnd || expectation == .valueOrEnd
    guard isEmpty || expectation == .separatorOrEnd, closings.popLast() == bytes[offset] else {
      return nil
    }
    if !isEmpty { breakLine() }
    output.append(bytes[offset])
    expectation = .separatorOrEnd
    return offset + 1
  }

  private mutating func string(at offset: Int) -> Int? {
    let isKey = expectation == .key || expectation == .keyOrEnd
    guard isKey || expectation == .value || expectation == .valueOrEnd,
      let end = JSONToken.stringEnd(from: offset, in: bytes)
    else { return nil }
    beginElement()
    output += bytes[offset..<end]
    expectation = isKey ? .colon : .separatorOrEnd
    return end
  }

  private mutating func scalar(at offset: Int) -> Int? {
    guard expectation == .value || expectation == .valueOrEnd,
      let end = JSONToken.scalarEnd(from: offset, in: bytes)
    else { return nil }
    beginElement()
    output += bytes[offset..<end]
    expectation = .separatorOrEnd
    return end
  }

  /// Begins a line before the first element of a container.
  private mutating func beginElement() {
    if expectation == .keyOrEnd || expectation == .valueOrEnd { breakLine() }
  }

  private mutating func breakLine() {
    let level = min(indentation + closings.count, Self.maximumIndentation)
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: 2 * level)
  }
}
