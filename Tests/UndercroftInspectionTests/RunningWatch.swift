import Foundation
import TestSupport

/// The command `watch`, which runs until a test ends it, and whose output the test reads meanwhile.
final class RunningWatch {
  private let directory: TemporaryDirectory
  private let process: RunningProgram

  /// Starts the command, and waits for the note that it has read the stores.
  ///
  /// - Parameters:
  ///   - path: the path of a home or a store.
  ///   - options: the options of the command.
  init(_ path: String, _ options: String...) throws {
    directory = try TemporaryDirectory()
    process = try Program(at: "/bin/sh").start(
      [
        "-c", #"folder="$1"; shift; exec "$0" watch "$@" > "$folder/output" 2> "$folder/errors""#,
        Program.inspector.path, directory.path, path, "--interval", "0.02",
      ] + options)
    _ = waitUntil { errors.contains("; Ctrl-C ends\n") || !process.isRunning }
  }

  /// The text that the command has written to standard output.
  var output: String { (try? directory.read("output")) ?? "" }

  /// The text that the command has written to standard error.
  var errors: String { (try? directory.read("errors")) ?? "" }

  /// The lines of standard output that are complete.
  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until a line of standard output contains a text, and returns whether there is one.
  func reports(_ text: String) -> Bool {
    waitUntil { lines.contains { $0.contains(text) } || !process.isRunning }
      && lines.contains { $0.contains(text) }
  }

  /// Waits until standard error contains a text, and returns whether it does.
  func notes(_ text: String) -> Bool {
    waitUntil { errors.contains(text) || !process.isRunning } && errors.contains(text)
  }

  var isRunning: Bool { process.isRunning }

  /// Waits for the end of the command, and returns its exit status.
  func status() throws -> Int32 { try process.result().status }

  deinit {
    process.send(SIGKILL)
    _ = try? process.result()
  }
}
