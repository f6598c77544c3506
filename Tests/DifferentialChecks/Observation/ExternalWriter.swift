import Foundation

/// The executable `Nightly` as a second process that runs a statement in a database.
package struct ExternalWriter {
  private let executable: URL

  /// Finds the executable `Nightly` beside the running executable or the test bundle, or returns
  /// `nil` if it was not built.
  static func find() -> ExternalWriter? {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return [folder, Bundle.main.bundleURL].map { $0.appending(path: "Nightly") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
      .map { ExternalWriter(executable: $0) }
  }

  func run(_ statement: String, in file: URL) throws {
    let process = Process()
    process.executableURL = executable
    process.arguments = ["execute", file.path(), statement]
    process.standardOutput = FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Refusal(reason: "the other process ended with \(process.terminationStatus)")
    }
  }
}
