/// The arguments of the command `query`, whose SQL statement can begin with a comment.
enum StatementArguments {
  /// Returns the arguments of the tool, with a statement that begins with a comment moved after the
  /// terminator `--`, so that the statement is not parsed as an option.
  ///
  /// The statement is the last argument that is not an option. The name of an option contains no
  /// whitespace.
  static func separatingStatement(in arguments: [String]) -> [String] {
    guard arguments.first == "query", !arguments.contains("--"),
      let index = arguments.firstIndex(where: isComment)
    else { return arguments }
    var separated = arguments
    let statement = separated.remove(at: index)
    return separated + ["--", statement]
  }

  private static func isComment(_ argument: String) -> Bool {
    guard argument.hasPrefix("--") else { return false }
    let name = argument.unicodeScalars.prefix { $0 != "=" }
    return name.contains { $0.properties.isWhitespace }
  }
}
