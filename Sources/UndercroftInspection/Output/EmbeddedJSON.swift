package import UndercroftFoundation

/// JSON (RFC 8259) that is written as a part of other JSON, with its numbers as they are stored.
package struct EmbeddedJSON {
  /// The JSON on lines with indentation, in which characters that control a terminal are escaped.
  package let text: String

  /// Reads JSON, or returns `nil` if the bytes are not valid JSON in UTF-8 or nested too deeply.
  ///
  /// - Parameters:
  ///   - bytes: the JSON.
  ///   - indentation: the level of indentation of the lines after the first one.
  package init?(_ bytes: Data, indentation: Int = 0) {
    guard let json = JSONFormatter.text(of: bytes, colon: " : ", indentation: indentation) else {
      return nil
    }
    text = JSONText.safe(json)
  }
}
