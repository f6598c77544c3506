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
    ///   - output: the file to which the standard output and the standard error are appended.
    package init(_ program: URL, _ arguments: [String], output: URL) throws {
      if !FileManager.default.fileExists(atPath: output.path) {
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
      }
      let log = try FileHandle(forWritingTo: output)
      try log.seekToEnd()
      process = Process()
      process.executableURL = program
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = log
      process.standardError = log
      try process.run()
      do { input = try Self.watch(process.processIdentifier) } catch {
        kill(process.processIdentifier, SIGKILL)
        throw error
      }
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
      if !wait(within: .seconds(60)) {
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
