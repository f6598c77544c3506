#if SyncHTTP
  import Foundation

  /// A program that runs until it ends.
  enum FinishedProgram {
    /// Runs a program without input, and returns what it has printed.
    ///
    /// - Throws: a ``BenchmarkFailure`` if the exit status is not 0.
    @discardableResult
    static func output(of path: String, _ arguments: [String]) throws -> String {
      let process = Process()
      let (output, errors) = (Pipe(), Pipe())
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      let reason = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw BenchmarkFailure(
          "\(path) ended with \(process.terminationStatus): \(String(decoding: reason, as: UTF8.self))"
        )
      }
      return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
#endif
