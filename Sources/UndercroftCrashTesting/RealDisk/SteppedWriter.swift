import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A writer that stops before every call that changes files, until ``resume()`` is called.
struct SteppedWriter: ~Copyable {
  /// The command and arguments, separated by spaces, for error messages.
  private let command: String
  private let child: ChildProcess
  private let ask: Descriptor
  private let answer: Descriptor
  private var said: [UInt8] = []
  private(set) var progress: [WriterProgress] = []

  private init(
    _ command: String, _ child: consuming ChildProcess, _ ask: consuming Descriptor,
    _ answer: consuming Descriptor
  ) {
    self.command = command
    self.child = child
    self.ask = ask
    self.answer = answer
  }

  /// Starts the writer `command` in a process that loads the fault library.
  ///
  /// - Parameters:
  ///   - command: the command and arguments of the writer.
  ///   - shim: the fault library, which stops the writer before its calls.
  ///   - root: the folder; the writer stops only before calls on files in this folder.
  ///   - scratch: the folder for the pipes between the writer and this process.
  static func start(
    _ command: [String], _ shim: FaultShim, root: String, scratch: String
  ) throws -> SteppedWriter {
    let pipes = [scratch + "/ask", scratch + "/answer"]
    for pipe in pipes {
      unlink(pipe)
      guard mkfifo(pipe, 0o600) == 0 else { throw StorageError.system("create the pipe", pipe) }
    }
    let ask = try Descriptor(opening: pipes[0], O_RDONLY | O_NONBLOCK)
    // Open the pipe for reading and writing, so that neither process waits until the other one
    // opens it.
    let answer = try Descriptor(opening: pipes[1], O_RDWR)
    let variables = ["UNDERCROFT_FAULT_ASK=\(pipes[0])", "UNDERCROFT_FAULT_ANSWER=\(pipes[1])"]
    let child = try ChildProcess(shim.command(["/usr/bin/env"] + variables + command, root: root))
    return SteppedWriter(command.joined(separator: " "), child, ask, answer)
  }

  /// Waits until the writer stops before its next system call, and returns the name of the call, or
  /// `nil` if the writer has ended.
  mutating func nextCall() throws -> String? {
    var poller = pollfd(fd: ask.raw, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 60_000) > 0 else {
      throw TraceError(
        """
        cannot continue the writer \(quoted(command)): within 60 seconds, the writer neither made \
        a system call that changes files nor ended; check whether the writer waits for a lock or \
        for input
        """)
    }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = UndercroftFileSystem.read(ask.raw, &buffer, buffer.count)
    collect()
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Reads the output that the writer has printed so far.
  private mutating func collect() {
    while let bytes = child.read(timeout: .zero), !bytes.isEmpty { said += bytes }
    while let end = said.firstIndex(of: 10) {
      if let new = WriterProgress(String(decoding: said[..<end], as: UTF8.self)) {
        progress.append(new)
      }
      said.removeSubrange(...end)
    }
  }

  /// Lets the stopped writer continue with its call.
  func resume() throws {
    try answer.write(Data([1]))
  }

  /// Returns the range of batches that the store is allowed to contain after a power failure before
  /// the next call.
  ///
  /// - Parameters:
  ///   - survivesCrash: whether acknowledged batches must survive.
  ///   - floor: the number of the last batch that is known to be durable.
  func window(survivesCrash: Bool, floor: Int) -> BatchWindow {
    let trace = Trace(announcing: progress)
    let window = trace.window(at: 0, survivesCrash: survivesCrash)
    return BatchWindow(required: max(floor, window.required), begun: window.begun)
  }
}

extension Trace {
  /// Creates a trace with the progress of a writer but without operations.
  fileprivate init(announcing progress: [WriterProgress]) {
    self.init()
    progressLines = progress.map { ProgressLine(position: 0, progress: $0) }
  }
}
