import UndercroftCore
import UndercroftTesting

/// A process that the kill loop kills and starts again.
final class KilledProcess: Killable {
  let name: String
  private let command: [String]
  private var child: ChildProcess?

  init(_ name: String, _ command: [String]) {
    self.name = name
    self.command = command
  }

  func start() throws { child = try ChildProcess(command) }

  /// Returns `false` if the process does not report it in time, has ended, or was not started.
  func wait(for progress: SyncProgress) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    let line = Array(progress.line.utf8)
    var output: [UInt8] = []
    while !output.contains(line), ContinuousClock.now < deadline {
      guard let bytes = child?.read(timeout: deadline - .now) else { return false }
      output += bytes
    }
    return output.contains(line)
  }

  /// Does not wait any longer after the process has ended its output.
  func kill(after moment: Duration) -> Int32 {
    let deadline = ContinuousClock.now + moment
    while ContinuousClock.now < deadline {
      guard child?.read(timeout: deadline - .now) != nil else { break }
    }
    guard let child = child.take() else { return 0 }
    child.kill()
    return child.status()
  }

  /// Waits for the process to end, and kills it after `limit`.
  ///
  /// Returns its wait status: `SIGKILL` if it was killed, or 0 if it was not started.
  func finish(within limit: Duration) -> Int32 {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      guard child?.read(timeout: deadline - .now) != nil else { break }
    }
    guard let child = child.take() else { return 0 }
    if ContinuousClock.now >= deadline { child.kill() }
    return child.status()
  }
}
