extension String {
  /// Without control characters: what was read from a file must not steer the terminal.
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
