#if SyncServer
  package import Foundation

  /// A running program that ends when this process ends.
  ///
  /// The program has a process group of its own, so that Ctrl-C only interrupts this process.
  package final class WatchedProcess: Sendable {
    private let process: Process
    /// The input of the shell that watches this process.
    private let input: FileHandle

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: the environment variables that differ from the variables of this process.
    ///   - output: the file to which the standard output is appended.
    ///   - errors: the file to which the standard error is appended, or `nil` for that of the
    ///     standard output.
    package init(
      _ program: URL, _ arguments: [String], environment: [String: String] = [:], output: URL,
      errors: URL? = nil
    ) throws {
      let files = try [output, errors].compactMap { try $0.map(Self.openEnd) }
      // The program has descriptors of its own.
      defer { for file in files { try? file.close() } }
      process = Process()
      process.executableURL = program
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment
        .merging(environment) { _, new in new }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = files.first
      process.standardError = files.last
      try process.run()
      do { input = try Self.watch(process.processIdentifier) } catch {
        kill(process.processIdentifier, SIGKILL)
        throw error
      }
    }

    /// Opens a file, which is created if it is missing, and moves to its end.
    private static func openEnd(of file: URL) throws -> FileHandle {
      if !FileManager.default.fileExists(atPath: file.path) {
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      }
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      return handle
    }

    deinit { _ = end(SIGKILL) }

    /// Starts a shell that kills the program when this process ends.
    ///
    /// The input of the shell then ends without a line.
    private static func watch(_ identifier: Int32) throws -> FileHandle {
      let (shell, input) = (Process(), Pipe())
      // Another program that this process starts must not prevent the end of the input.
      _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "read line && exit; kill -KILL \(identifier)"]
      shell.standardInput = input
      shell.standardOutput = FileHandle.nullDevice
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      return input.fileHandleForWriting
    }

    package var identifier: Int32 { process.processIdentifier }
    package var isRunning: Bool { process.isRunning }

    /// Waits until the program has ended, and returns `false` if it has not ended after the time.
    package func wait(within limit: Duration) -> Bool {
      let deadline = ContinuousClock.now + limit
      while process.isRunning {
        guard ContinuousClock.now < deadline else { return false }
        Thread.sleep(forTimeInterval: 0.002)
      }
      return true
    }

    /// Sends a signal to the program if it is running, and waits until it has ended.
    ///
    /// Returns its wait status, which is the number of the signal if a signal has ended it.
    package func end(_ signal: Int32) -> Int32 {
      if process.isRunning { kill(process.processIdentifier, signal) }
      // Only prevents an endless wait.
      if !wait(within: .seconds(600)) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      try? input.write(contentsOf: Data("stop\n".utf8))
      try? input.close()
      let isSignal = process.terminationReason == .uncaughtSignal
      return isSignal ? process.terminationStatus : process.terminationStatus << 8
    }
  }
#endif
