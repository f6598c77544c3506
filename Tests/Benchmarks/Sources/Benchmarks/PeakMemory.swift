import Foundation

/// The largest resident size of a process.
enum PeakMemory {
  /// The largest resident size of this process so far in bytes. (`VmHWM`; `getrusage` would return
  /// that of the parent process.)
  static func bytes() throws -> Int {
    #if canImport(Darwin)
      var usage = rusage()
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { throw BenchmarkFailure("getrusage failed") }
      return Int(usage.ru_maxrss)
    #else
      guard let count = byteCount(of: "self") else {
        throw BenchmarkFailure("no VmHWM in /proc/self/status")
      }
      return count
    #endif
  }

  /// The largest resident size so far of a process that is running, in bytes, or `nil` if the
  /// process has ended or the system has no `/proc`.
  static func byteCount(ofProcess process: pid_t) -> Int? { byteCount(of: "\(process)") }

  private static func byteCount(of process: String) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1_024 }
  }

  /// Runs a command of this program in another process, and returns the numbers that it prints.
  ///
  /// - Parameter count: the expected number of numbers.
  static func figures(printedBy arguments: [String], count: Int = 1) throws -> [Double] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == count else {
      throw BenchmarkFailure("the process \(arguments[0]) printed: \(text)")
    }
    return figures
  }
}
