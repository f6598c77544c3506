package import Foundation

/// The program `KillWriter`, which the build creates beside the test bundle.
package enum KillWriterProgram {
  package struct Missing: Error {
    package let folders: [String]
  }

  /// Returns the path of the program.
  ///
  /// If tests run in a helper process, the main bundle is in the folder of the program.
  package static func url() throws -> URL {
    let folders = [
      URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(), Bundle.main.bundleURL,
    ]
    for folder in folders {
      let program = folder.appending(path: "KillWriter")
      if FileManager.default.isExecutableFile(atPath: program.path()) { return program }
    }
    throw Missing(folders: folders.map { $0.path() })
  }

  /// Runs a shell script whose `$0` is the program, `$1` the kind of a store, and `$2` its folder.
  ///
  /// - Returns: the standard output and the standard error of the script.
  package static func run(
    _ script: String, _ store: String, in directory: URL
  ) throws -> (output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, try url().path(), store, directory.path()]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let reported = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: printed, as: UTF8.self), String(decoding: reported, as: UTF8.self))
  }
}
