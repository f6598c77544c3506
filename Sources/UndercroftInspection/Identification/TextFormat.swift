import UndercroftFoundation

/// Identification of text files by the beginning of their text.
enum TextFormat {
  /// The format of an XML property list in any encoding.
  static let propertyList = IdentifiedFormat(
    "XML property list", "show it with undercroft tree, or with plutil -p")

  /// The format of text without a structure that is known.
  static let plain = IdentifiedFormat("plain text", "read it with a text editor")

  /// Identifies a text file by its first bytes; returns `nil` if the bytes are not text.
  ///
  /// - Parameters:
  ///   - bytes: the first bytes of the file.
  ///   - isWhole: whether `bytes` are the whole file. Otherwise, they may end in a character.
  static func identify(_ bytes: [UInt8], isWhole: Bool) -> IdentifiedFormat? {
    guard let text = text(bytes, isWhole: isWhole) else { return nil }
    let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{feff}" }
    switch start.first {
    case "<": return markup(text)
    case "{" where isOldStyle(start.dropFirst()):
      return IdentifiedFormat(
        "old-style property list", "show it with plutil -p, or with pl of GNUstep")
    case "{", "[":
      return IdentifiedFormat("JSON text", "read it with jq, or with python3 -m json.tool")
    default: return plain
    }
  }

  /// Returns whether the text after a brace begins a dictionary of an old-style property list, as
  /// in `{ title = "Emma"; }`. (NeXTSTEP, OpenStep, GNUstep)
  ///
  /// In JSON, the key is quoted, and a colon follows it.
  private static func isOldStyle(_ text: Substring.UnicodeScalarView) -> Bool {
    let key = text.drop { $0.properties.isWhitespace }
    var rest = key
    if rest.first == "\"" {
      rest = rest.dropFirst()
      while let scalar = rest.popFirst(), scalar != "\"" {
        if scalar == "\\" { rest = rest.dropFirst() }
      }
    } else {
      rest = rest.drop {
        $0.properties.isAlphabetic || "0123456789_$/:.-".unicodeScalars.contains($0)
      }
      guard rest.startIndex > key.startIndex else { return false }
    }
    return rest.first(where: { !$0.properties.isWhitespace }) == "="
  }

  private static func markup(_ text: String) -> IdentifiedFormat {
    if text.contains("<plist") || text.contains("<!DOCTYPE plist") {
      return propertyList
    }
    // The root element of a file that `SharedPreferences` of Android writes.
    if text.contains("<map>") || text.contains("<map />") || text.contains("<map/>") {
      return IdentifiedFormat(
        "settings of an Android application (shared_prefs)",
        "read it with a text editor, or on a device with adb shell run-as PACKAGE cat")
    }
    return IdentifiedFormat("XML text", "read it with a text editor, or with xmllint --format")
  }

  private static func text(_ bytes: [UInt8], isWhole: Bool) -> String? {
    // A character has at most four bytes, so at most three of them are left of the last one.
    for count in 0...(isWhole ? 0 : 3) where bytes.count > count {
      guard let text = String(validating: bytes.dropLast(count), as: UTF8.self) else { continue }
      let isText = text.unicodeScalars.allSatisfy {
        $0.value >= 32 && $0.value != 127 || (9...13).contains($0.value)
      }
      return isText ? text : nil
    }
    return nil
  }
}
