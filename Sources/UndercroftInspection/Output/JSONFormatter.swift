import UndercroftFoundation

/// A formatter that writes JSON with one line for each element.
///
/// Each token is copied, so that numbers are not rounded, and equal names of members remain.
struct JSONFormatter {
  /// The maximum level of indentation, so that spaces do not make a deep value much larger.
  private static let maximumIndentation = 40

  private var output: [UInt8] = []
  private let indentation: Int

  /// Returns formatted JSON, or `nil` if the bytes are not valid JSON in UTF-8 or are nested too
  /// deeply.
  ///
  /// - Parameters:
  ///   - bytes: the JSON.
  ///   - colon: the text between the name and the value of a member.
  ///   - indentation: the level of indentation of the lines after the first one.
  static func text(of bytes: Data, colon: String, indentation: Int = 0) -> String? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var formatter = JSONFormatter(indentation: indentation)
    var reader = JSONReader(Array(bytes))
    do throws(JSONReader.Invalid) {
      while let token = try reader.next() { formatter.write(token, from: reader, colon) }
    } catch {
      return nil
    }
    return String(decoding: formatter.output, as: UTF8.self)
  }

  private init(indentation: Int) { self.indentation = indentation }

  private mutating func write(
    _ token: JSONReader.Token, from reader: JSONReader, _ colon: String
  ) {
    switch token.kind {
    case .colon:
      output += colon.utf8
      return
    case .end: if !token.isFirst { breakLine(reader.depth) }
    case .begin: if token.isFirst { breakLine(reader.depth - 1) }
    default: if token.isFirst { breakLine(reader.depth) }
    }
    output += reader.bytes[token.range]
    if token.kind == .comma { breakLine(reader.depth) }
  }

  private mutating func breakLine(_ depth: Int) {
    let level = min(indentation + depth, Self.maximumIndentation)
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: 2 * level)
  }
}
