extension String {
  /// This string with each control character replaced by U+FFFD, so that text from a file cannot
  /// control the terminal.
  var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text.unicodeScalars.append("\u{fffd}")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
