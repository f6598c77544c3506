import Foundation

/// A program that a test started, and whose output this process collects.
package final class RunningProgram: Sendable {
  /// The error for a program that did not end within its time limit and was killed.
  package struct TimedOut: Error {
    package let program: String
    package let limit: Duration
  }

  private let process: Process
  private let end = Promise<(status: Int32, wasSignal: Bool)>()
  private let output = Promise<String>()
  private let errors = Promise<String>()

  init(_ process: Process, input: String, output path: String?) throws {
    let (inputPipe, outputPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
    process.standardInput = inputPipe
    process.standardError = errorPipe
    if let path {
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
      output.fulfill("")
    } else {
      process.standardOutput = outputPipe
    }
    process.terminationHandler = { [end] process in
      end.fulfill((process.terminationStatus, process.terminationReason == .uncaughtSignal))
    }
    try process.run()
    self.process = process
    // A program that fills one pipe would wait if the pipes were read one after the other.
    if path == nil { Self.read(outputPipe, into: output) }
    Self.read(errorPipe, into: errors)
    if !input.isEmpty { try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try inputPipe.fileHandleForWriting.close()
  }

  private static func read(_ pipe: Pipe, into promise: Promise<String>) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread {
      let data = handle.readDataToEndOfFile()
      // The process object, which Foundation does not deallocate on Linux, would keep it open.
      try? handle.close()
      promise.fulfill(String(decoding: data, as: UTF8.self))
    }
  }

  package var isRunning: Bool { !end.isFulfilled }

  /// Sends a signal to the program if it is still running. (`kill`)
  package func send(_ signal: Int32) {
    if isRunning { kill(process.processIdentifier, signal) }
  }

  /// Waits until the program has ended and its output is complete, and returns the result.
  ///
  /// Kills the program if it does not end within the time limit.
  package func result(within limit: Duration = .hangLimit) throws -> ProgramResult {
    guard let end = end.wait(limit), let output = output.wait(limit),
      let errors = errors.wait(limit)
    else {
      send(SIGKILL)
      throw TimedOut(program: process.executableURL?.lastPathComponent ?? "", limit: limit)
    }
    return ProgramResult(
      status: end.status, wasKilledBySignal: end.wasSignal, output: output, errors: errors)
  }
}
