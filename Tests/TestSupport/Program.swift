package import Foundation

/// A program that a test runs as a separate process.
package struct Program: Sendable {
  /// The error for a program of this package that is not in the build folder.
  package struct Missing: Error {
    package let name: String
    package let folders: [String]
  }

  package let url: URL

  /// Creates a reference to an installed program, such as `/bin/sh`.
  package init(at path: String) { url = URL(filePath: path) }

  /// Finds a program of this package, which the build creates beside the test bundle.
  ///
  /// If the tests run in a helper process, the main bundle is in the folder of the program.
  package init(built name: String) throws {
    let folders = [
      URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(), Bundle.main.bundleURL,
      Bundle.main.bundleURL.deletingLastPathComponent(),
    ]
    let programs = folders.map { $0.appending(path: name) }
    let isThere = { (url: URL) in FileManager.default.isExecutableFile(atPath: url.path) }
    guard let url = programs.first(where: isThere) else {
      throw Missing(name: name, folders: folders.map(\.path))
    }
    self.url = url
  }

  package var path: String { url.path }

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - input: The text that the program reads from its standard input.
  ///   - output: The file that receives the standard output instead of the result.
  ///   - environment: The environment variables that differ from the variables of this process.
  ///   - fileBlocks: The file size limit in blocks of 512 bytes. A write beyond the limit fails,
  ///     because the signal is ignored.
  package func start(
    _ arguments: [String], input: String = "", output: String? = nil,
    environment: [String: String] = [:], fileBlocks: Int? = nil
  ) throws -> RunningProgram {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    if let fileBlocks {
      let script = "trap '' XFSZ; ulimit -f \(fileBlocks); exec \"$0\" \"$@\""
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", script, path] + arguments
    }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment
        .merging(environment) { _, new in new }
    }
    return try RunningProgram(process, input: input, output: output)
  }

  /// Runs the program to its end on the calling thread.
  ///
  /// The parameters have the same meaning as the parameters of `start`.
  @discardableResult
  package func run(
    _ arguments: [String], input: String = "", output: String? = nil,
    environment: [String: String] = [:], fileBlocks: Int? = nil,
    within limit: Duration = .hangLimit
  ) throws -> ProgramResult {
    let running = try start(
      arguments, input: input, output: output, environment: environment, fileBlocks: fileBlocks)
    return try running.result(within: limit)
  }

  /// Runs the program to its end without blocking a thread of the shared pool.
  @discardableResult
  package func run(
    _ arguments: [String], fileBlocks: Int? = nil, within limit: Duration = .hangLimit
  ) async throws -> ProgramResult {
    try await onNewThread {
      try start(arguments, fileBlocks: fileBlocks).result(within: limit)
    }
  }

  /// Runs a line of shell script in which `$0` is the program, `$1` the first argument, and so on.
  package func runInShell(_ script: String, _ arguments: String...) throws -> ProgramResult {
    try Program(at: "/bin/sh").run(["-c", script, path] + arguments)
  }
}
