import UndercroftCore

/// An argument of the process that is not valid UTF-8.
///
/// The text of such an argument has other bytes, so a command would not find the file of this name,
/// or would create a file or store a value with these other bytes.
struct InvalidArgument {
  private let text: String

  /// Finds the first argument of this process that is not valid UTF-8, or returns `nil` if there is
  /// none.
  init?() {
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[number],
        String(validatingCString: argument) == nil
      else { continue }
      text = String(cString: argument)
      return
    }
    return nil
  }

  /// The error as a sentence.
  var sentence: String {
    """
    cannot use the argument \(quoted(text)): it is not valid UTF-8; rename the file or folder if it \
    is a path, and pass a value that is not text with --file or --encoding base64
    """
  }
}
