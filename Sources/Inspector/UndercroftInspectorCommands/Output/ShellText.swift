import UndercroftInspection

/// Text that a user can paste into a shell.
enum ShellText {
  /// Returns an argument as a shell reads it back, in single quotes if it has special characters.
  ///
  /// Characters that control a terminal are escaped, so the argument is then not exact.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: byte >= 0x80
      }
    }
    let safe = ValueText.safe(text)
    return isPlain && !text.isEmpty ? safe : "'" + safe.replacing("'", with: #"'\''"#) + "'"
  }
}
