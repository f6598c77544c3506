import UndercroftInspection

/// Text in the form in which a POSIX shell reads it as one word.
enum ShellText {
  /// Returns a word that a user can paste into a shell, in quotes if it has special characters.
  ///
  /// Characters that control a terminal are escaped, so the word is then not exact.
  static func shown(_ word: String) -> String {
    exact(ValueText.safe(word))
  }

  /// Returns a word unchanged, in quotes if it has special characters.
  static func exact(_ word: String) -> String {
    word.isEmpty || word.unicodeScalars.contains(where: isSpecial) ? quoted(word) : word
  }

  /// Returns a word in single quotes, in which a shell expands nothing.
  static func quoted(_ word: String) -> String {
    "'" + word.replacingScalars { $0 == "'" ? #"'\''"# : nil } + "'"
  }

  /// Returns a word with a backslash before each character that has a meaning in a shell.
  static func escaped(_ word: String) -> String {
    word.isEmpty ? "''" : word.replacingScalars { isSpecial($0) ? "\\\($0)" : nil }
  }

  /// Whether a scalar can have a meaning in a shell.
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
      && !"_-./:@%+,=".unicodeScalars.contains(scalar)
  }
}
