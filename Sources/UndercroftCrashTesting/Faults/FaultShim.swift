import UndercroftCore
import UndercroftFileSystem
import UndercroftTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The library that makes system calls of a child process fail; the machine's C compiler builds it.
struct FaultShim {
  let path: String

  /// The compilers that may build it.
  private static let compiler = [
    "/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc", "/usr/local/bin/cc",
  ].first { (path: String) in access(path, X_OK) == 0 }

  /// Builds the library in a folder; `nil` where there is no compiler, or no such mechanism.
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
        throw TraceError("\(compiler) could not build the library of faults: status \(status >> 8)")
      }
    #else
      return nil
    #endif
  }

  /// Returns a command that runs another one under the library.
  ///
  /// - Parameters:
  ///   - root: the folder whose files the failing calls concern.
  ///   - counts: the file that gets the number of calls, or `nil`.
  func command(
    _ command: [String], root: String, fault: CallFault? = nil, counts: String? = nil
  ) -> [String] {
    var variables = ["LD_PRELOAD=\(path)", "UNDERCROFT_FAULT_ROOT=\(root)"]
    if let counts { variables.append("UNDERCROFT_FAULT_COUNTS=\(counts)") }
    return ["/usr/bin/env"] + variables + (fault?.variables ?? []) + command
  }
}
