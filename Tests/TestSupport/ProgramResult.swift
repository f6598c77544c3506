/// The exit status and the output of a program.
package struct ProgramResult: Sendable {
  /// The exit status or, if a signal ended the program, the number of the signal.
  package let status: Int32
  package let wasKilledBySignal: Bool
  /// The text that the program wrote to its standard output.
  package let output: String
  /// The text that the program wrote to its standard error.
  package let errors: String

  /// The lines of the standard output that are not empty.
  package var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The last line of the standard output, or an empty string.
  package var lastLine: String { lines.last ?? "" }
}
