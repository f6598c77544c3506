import ArgumentParser

/// The script with which a shell completes the command lines of the tool.
///
/// The argument parser generates it, but without completions of the command `help`, to which this
/// type adds those of `man`.
enum CompletionScript {
  /// The part of the line of a script that completes the words after `man`.
  private static let manual = "---completion man -- positional@0"

  /// Returns the script of a shell.
  static func text(for shell: CompletionShell) -> String {
    let script = InspectorCommand.completionScript(for: shell)
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let completion = lines.first(where: { $0.contains(manual) }) else { return script }
    if shell == .fish {
      lines.append(completion.replacing("\"undercroft man\"", with: "\"undercroft help\""))
    } else {
      // The body of the function of the command has nothing to complete.
      let body = shell == .bash ? "    :" : "        '*:subcommands:'"
      guard let function = lines.firstIndex(of: "_undercroft_help() {"),
        let position = lines[function...].firstIndex(of: body)
      else { return script }
      lines[position] = completion
    }
    return lines.joined(separator: "\n")
  }
}
