import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftTesting

/// A library that makes the system calls of a child process fail, built with the C compiler of the
/// machine. (`LD_PRELOAD`)
struct FaultShim {
  let path: String

  /// The path of the first available C compiler, or `nil` if no compiler is installed.
  private static let compiler = [
    "/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc", "/usr/local/bin/cc",
  ].first { (path: String) in access(path, X_OK) == 0 }

  /// Builds the library in a folder, or returns `nil` if there is no compiler or the system is not
  /// Linux.
  init?(in folder: String) throws {
    #if os(Linux)
      guard let compiler = Self.compiler else { return nil }
      path = folder + "/faults.so"
      let source = folder + "/faults.c"
      try ReplacementFile.write(Data(PackageResources.faults_c), to: source)
      let child = try ChildProcess(
        [compiler, "-O1", "-shared", "-fPIC", "-o", path, source, "-ldl"])
      let status = child.status()
      guard status == 0 else {
        throw TraceError(
          """
          cannot build the fault injection library: \(compiler) ended with \
          \(ChildProcess.describe(waitStatus: status)); check that the compiler can build shared \
          libraries
          """)
      }
    #else
      return nil
    #endif
  }

  /// Returns a command that runs `command` in a process that loads the fault library.
  ///
  /// - Parameters:
  ///   - command: the command to run.
  ///   - root: the folder for whose files calls are counted and can fail, or `nil` for no folder.
  ///   - counts: the file to which the library writes the number of calls of each kind, or `nil` if
  ///     the calls are not counted.
  ///   - fault: the fault that is active from the start, or `nil` if no call fails at first.
  func command(
    _ command: [String], root: String?, counts: String? = nil, failing fault: CallFault? = nil
  ) -> [String] {
    var variables = ["LD_PRELOAD=\(path)"]
    variables += fault?.variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } ?? []
    if let root { variables.append("\(Self.root)=\(root)") }
    if let counts { variables.append("UNDERCROFT_FAULT_COUNTS=\(counts)") }
    return ["/usr/bin/env"] + variables + command
  }

  private static let root = "UNDERCROFT_FAULT_ROOT"

  /// Runs `body` while system calls of this process fail.
  ///
  /// The process must have loaded the fault library.
  ///
  /// - Parameters:
  ///   - fault: the fault to apply.
  ///   - root: the folder for whose files calls fail.
  ///   - body: the work during which calls fail.
  static func failing(_ fault: CallFault, in root: String, _ body: () -> Void) throws(TraceError) {
    guard let address = dlsym(nil, "undercroft_fault_begin") else {
      throw TraceError(
        """
        cannot inject a fault into the call "\(fault.call)": the fault injection library is not \
        loaded into this process; run the command "fault" of this program instead, which starts a \
        process with the library
        """)
    }
    let begin = unsafeBitCast(address, to: (@convention(c) () -> Void).self)
    for name in CallFault.variableNames { unsetenv(name) }
    for (name, value) in fault.variables { setenv(name, value, 1) }
    setenv(Self.root, root, 1)
    begin()
    body()
    unsetenv(Self.root)
    begin()
  }

  /// Runs `body` without counting its system calls or
  /// making them fail, for work of the crash test itself.
  static func paused(_ body: () -> Void) {
    guard let address = dlsym(nil, "undercroft_fault_pause") else { return body() }
    let pause = unsafeBitCast(address, to: (@convention(c) (Int32) -> Void).self)
    pause(1)
    body()
    pause(0)
  }
}
