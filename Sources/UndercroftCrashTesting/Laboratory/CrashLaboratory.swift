import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A program that tests the files that crashes and failing system calls leave.
///
/// The program starts itself as the writer in separate processes. So the
/// `main` function of the program must contain only a call such as this one:
///
/// ```swift
/// @main struct PaperLaboratory {
///   static func main() {
///     CrashLaboratory([
///       CrashSubject("paper", .powerLoss) { try PaperBackend(in: $0.appending(path: "store")) }
///     ]).main()
///   }
/// }
/// ```
public struct CrashLaboratory: Sendable {
  let subjects: [CrashSubject]
  /// The command and arguments that start this program again.
  let command: [String]

  /// Creates a program that tests the given stores.
  ///
  /// - Parameters:
  ///   - subjects: the stores to test.
  ///   - command: the path and the arguments that start this program
  ///     again. The default is the running program without arguments.
  public init(_ subjects: [CrashSubject], command: [String] = [CommandLine.arguments[0]]) {
    self.subjects = subjects
    self.command = ProgramPath.resolved(command)
  }

  /// Runs the command that the arguments of the program specify, and ends the process.
  public func main() -> Never {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs the command that the arguments specify, by default the test of every subject.
  ///
  /// - Returns: 0 if no guarantee is violated, 1 if a guarantee is violated,
  ///   or 2 if the arguments are wrong or a store could not be tested.
  public func run(_ arguments: [String]) -> Int32 {
    // A trap of a writer is an expected result. A backtrace would cost seconds and many lines.
    setenv("SWIFT_BACKTRACE", "enable=no", 0)
    do {
      if arguments.contains("--help") || arguments.contains("-h") {
        return try perform(.help, LaboratoryOptions([], of: .help))
      }
      let name = arguments.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
      let command = try name.map { try LaboratoryCommand(named: $0) } ?? .run
      let options = try LaboratoryOptions(arguments.dropFirst(name == nil ? 0 : 1), of: command)
      return try perform(command, options)
    } catch let error as LaboratoryError {
      Self.say("\(error)")
      return 2
    } catch {
      Self.say("cannot run the command: \(error)")
      return 2
    }
  }

  private func perform(
    _ command: LaboratoryCommand, _ options: LaboratoryOptions
  ) throws -> Int32 {
    if command.makesScratchFolders { Interruption.removeScratchFolders() }
    if command.isInternal { Interruption.endWithParent() }
    switch command {
    case .run: return try runAll(options)
    case .examine: return try examine(options)
    case .ext4: return try examineRealDisks(options)
    case .write: return try write(options)
    case .check: return try check(options)
    case .fault: return try tryFault(options)
    case .faultWrite: return try writeDespiteFaults(options)
    case .list:
      for subject in subjects { Self.say(subject.name) }
      return 0
    case .help:
      Self.say(LaboratoryCommand.helpText)
      return 0
    }
  }

  func subject(_ options: LaboratoryOptions) throws -> CrashSubject {
    let name = try options.required("store")
    guard let subject = subjects.first(where: { $0.name == name }) else {
      throw LaboratoryError(
        """
        cannot find the store "\(name)": the stores are \(subjects.map(\.name).listed); pass one \
        of these names to --store
        """)
    }
    return subject
  }

  /// Prints a line to standard output without buffering, even if the output is a pipe.
  static func say(_ line: String) { put(line + "\n") }

  static func put(_ text: String) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        UndercroftFileSystem.write(1, $0.baseAddress, $0.count)
      }
      if count <= 0 { exit(3) }
      done += count
    }
  }
}
