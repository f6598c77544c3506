#if SyncHTTP
  import Foundation

  /// A program that runs beside the benchmark, and ends with it.
  final class BackgroundProgram {
    private let process = Process()
    /// The input of the shell that watches the benchmark.
    private let watch: FileHandle
    private let log: URL

    /// Starts a program, which writes its output and its errors to a file.
    ///
    /// - Parameter signal: the signal that ends the program if the benchmark ends early.
    init(_ path: String, _ arguments: [String], log: URL, signal: Int32 = SIGTERM) throws {
      guard FileManager.default.createFile(atPath: log.path, contents: nil) else {
        throw BenchmarkFailure("cannot create the file \(log.path)")
      }
      let output = try FileHandle(forWritingTo: log)
      self.log = log
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = output
      try process.run()
      try output.close()
      watch = try Self.watch(process.processIdentifier, signal)
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var processIdentifier: Int32 { process.processIdentifier }

    /// The text that the program has written.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Starts a shell whose input ends without a line when this process ends.
    private static func watch(_ process: Int32, _ signal: Int32) throws -> FileHandle {
      let (shell, input) = (Process(), Pipe())
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "read line || kill -\(signal) \(process) 2> /dev/null"]
      shell.standardInput = input
      try shell.run()
      return input.fileHandleForWriting
    }

    /// Waits until a function returns a value.
    ///
    /// - Throws: a ``BenchmarkFailure`` with the output if the program ends, or after 60 seconds.
    func wait<Value>(until value: () -> Value?) throws -> Value {
      let end = ContinuousClock.now + .seconds(60)
      while process.isRunning, ContinuousClock.now < end {
        if let value = value() { return value }
        usleep(5_000)
      }
      throw BenchmarkFailure(
        "\(process.executableURL?.path ?? "") is not ready: \(output.suffix(2_000))")
    }

    /// Sends a signal, and waits until the program has ended.
    func stop(_ signal: Int32 = SIGTERM) throws {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      try watch.write(contentsOf: Data("stopped\n".utf8))
      try watch.close()
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        throw BenchmarkFailure(
          """
          \(process.executableURL?.path ?? "") ended with \(process.terminationStatus): \
          \(output.suffix(2_000))
          """)
      }
    }
  }
#endif
