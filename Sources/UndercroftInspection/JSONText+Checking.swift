package import UndercroftFoundation

extension JSONText {
  /// Returns whether bytes are one value of JSON (RFC 8259) in UTF-8, whose strings are valid.
  package static func isValid(_ bytes: Data) -> Bool {
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    var reader = JSONReader(Array(bytes))
    do throws(JSONReader.Invalid) {
      while try reader.next() != nil {}
      return true
    } catch {
      return false
    }
  }

  /// Returns whether bytes begin like JSON, although they may not be valid.
  ///
  /// JSON begins with a string that is not closed, with an array whose first element is valid, or
  /// with an object whose first name is valid. Notes such as `[draft] Emma` and `"Emma" is lent` do
  /// not begin like this. Numbers and constants are also words of other texts.
  package static func isBegun(by bytes: Data) -> Bool {
    var reader = JSONReader(Array(bytes))
    var tokenCount = 0
    var isObject = false
    do throws(JSONReader.Invalid) {
      while let token = try reader.next() {
        if tokenCount == 0 { isObject = token.kind == .begin(isObject: true) }
        tokenCount += 1
      }
      return true
    } catch {
      guard tokenCount > 0 else {
        return bytes.first { !ASCIIClass.isSpace($0) } == UInt8(ascii: "\"")
      }
      return tokenCount > 1 && (isObject || reader.depth > 0)
    }
  }
}
