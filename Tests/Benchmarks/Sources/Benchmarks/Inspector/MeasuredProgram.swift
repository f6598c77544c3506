import Foundation

/// A program that is started as a process and measured.
struct MeasuredProgram {
  /// What one run of the program needed.
  struct Usage {
    let seconds: Double
    /// The largest resident size of the process in bytes.
    let peakBytes: Int
  }

  let path: String

  /// Runs the program without input, and discards its output. (`posix_spawn`, `wait4`)
  ///
  /// - Parameters:
  ///   - arguments: the arguments after the name of the program.
  ///   - isExpected: a closure that returns whether the exit status is the expected one.
  func run(
    _ arguments: [String], isExpected: (Int32) -> Bool = { $0 == 0 }
  ) throws -> Usage {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process: pid_t = 0
    let begin = ContinuousClock.now
    let failure = posix_spawnp(&process, path, &actions, nil, words, environ)
    guard failure == 0 else { throw BenchmarkFailure("\(path) cannot be started (\(failure))") }
    var (status, usage) = (Int32(0), rusage())
    guard wait4(process, &status, 0, &usage) == process else {
      throw BenchmarkFailure("wait4 failed for \(path)")
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    guard status & 0x7f == 0, isExpected((status >> 8) & 0xff) else {
      throw BenchmarkFailure(
        "\(path) \(arguments.joined(separator: " ")) ended with the wait status \(status)")
    }
    #if canImport(Darwin)
      return Usage(seconds: seconds, peakBytes: usage.ru_maxrss)
    #else
      return Usage(seconds: seconds, peakBytes: usage.ru_maxrss * 1_024)
    #endif
  }
}
