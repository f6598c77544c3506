import Foundation
import Synchronization
import UndercroftCore

/// The time and memory that a closure needed, and the error that it threw.
struct ResourceUsage: Sendable {
  /// The processor time of the thread.
  var seconds = 0.0
  /// The number of bytes by which the largest resident size of the process exceeded its size before
  /// the call.
  var grownByteCount = 0
  /// The description of an error that is no ``StorageError``.
  var failure: String?

  /// Only one closure runs at a time, because the memory is that of the process.
  private static let turn = Mutex(())

  /// Runs a closure on a new thread, or returns `nil` if the closure does not end in time.
  static func measure(
    waiting seconds: Double, _ body: @escaping @Sendable () throws -> Void
  ) throws -> ResourceUsage? {
    try turn.withLock { _ in
      try ResidentSize.resetPeak()
      let before = try ResidentSize.current("VmRSS:")
      let result = ThreadResult()
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        result.set(Self.run(body))
        done.signal()
      }
      thread.stackSize = 8 << 20
      thread.start()
      guard done.wait(timeout: .now() + seconds) == .success else { return nil }
      var usage = result.value
      usage.grownByteCount = try max(0, ResidentSize.current("VmHWM:") - before)
      return usage
    }
  }

  private static func run(_ body: () throws -> Void) -> ResourceUsage {
    var usage = ResourceUsage()
    do {
      try body()
    } catch is StorageError {
      // A damaged file may cause any error of the toolkit.
    } catch {
      usage.failure = "\(type(of: error)): \(error)"
    }
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    usage.seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    return usage
  }
}

/// The result of a thread.
private final class ThreadResult: Sendable {
  private let usage = Mutex(ResourceUsage())

  var value: ResourceUsage { usage.withLock { $0 } }

  func set(_ value: ResourceUsage) { usage.withLock { $0 = value } }
}

/// The resident size of this process, which is 0 on systems without `/proc`.
private enum ResidentSize {
  /// Sets the largest resident size to the present resident size. (`/proc/self/clear_refs`)
  static func resetPeak() throws {
    #if os(Linux)
      try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    #endif
  }

  /// Returns a field of `/proc/self/status` in bytes.
  static func current(_ field: String) throws -> Int {
    #if os(Linux)
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
      return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1_024
    #else
      return 0
    #endif
  }
}
