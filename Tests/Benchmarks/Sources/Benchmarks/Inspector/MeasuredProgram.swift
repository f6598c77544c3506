import Foundation

/// A program that is started as a process and measured.
struct MeasuredProgram {
  let path: String

  /// Runs the program without input, and discards its output.
  ///
  /// - Returns: the time until the program has ended, in seconds.
  func seconds(_ arguments: [String]) throws -> Double {
    let begin = ContinuousClock.now
    let process = try start(arguments)
    var status = Int32(0)
    guard waitpid(process, &status, 0) == process else {
      throw BenchmarkFailure("waitpid failed for \(path)")
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    try require(status, of: arguments, isExpected: { $0 == 0 })
    return seconds
  }

  /// Runs the program without input, and discards its output.
  ///
  /// The size is read while the program runs. The size that Linux reports for an ended process is
  /// at least that of the benchmark itself, in whose memory the process began.
  ///
  /// - Parameter isExpected: a closure that returns whether the exit status is the expected one.
  /// - Returns: the largest resident size of the process in bytes.
  func peakByteCount(
    _ arguments: [String], isExpected: (Int32) -> Bool = { $0 == 0 }
  ) throws -> Int {
    let process = try start(arguments)
    var (status, usage, peak) = (Int32(0), rusage(), 0)
    while true {
      let ended = wait4(process, &status, WNOHANG, &usage)
      if ended == process { break }
      guard ended == 0 else { throw BenchmarkFailure("wait4 failed for \(path)") }
      peak = max(peak, PeakMemory.byteCount(ofProcess: process) ?? 0)
      usleep(1_000)
    }
    try require(status, of: arguments, isExpected: isExpected)
    #if canImport(Darwin)
      peak = usage.ru_maxrss
    #endif
    guard peak > 0 else { throw BenchmarkFailure("\(path) ended before it was measured") }
    return peak
  }

  /// Starts the program. (`posix_spawn`)
  private func start(_ arguments: [String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process: pid_t = 0
    let failure = posix_spawnp(&process, path, &actions, nil, words, environ)
    guard failure == 0 else { throw BenchmarkFailure("\(path) cannot be started (\(failure))") }
    return process
  }

  private func require(
    _ status: Int32, of arguments: [String], isExpected: (Int32) -> Bool
  ) throws {
    guard status & 0x7f == 0, isExpected((status >> 8) & 0xff) else {
      throw BenchmarkFailure(
        "\(path) \(arguments.joined(separator: " ")) ended with the wait status \(status)")
    }
  }
}
