import UndercroftCore
import UndercroftTesting

/// A process of the kill loop that is killed and started again.
final class KilledProcess {
  let name: String
  private let command: [String]
  private var child: ChildProcess?

  init(_ name: String, _ command: [String]) {
    self.name = name
    self.command = command
  }

  func start() throws { child = try ChildProcess(command) }

  /// Waits until the process reports that it is ready, for at most a minute.
  ///
  /// Returns whether the process has reported that it is ready.
  func waitUntilReady() -> Bool { child?.read(timeout: .seconds(60))?.isEmpty == false }

  /// Kills the process after some time, and returns its wait status, which is 9 if it was alive.
  func kill(after moment: Duration) -> Int32 {
    let deadline = ContinuousClock.now + moment
    while ContinuousClock.now < deadline {
      guard child?.read(timeout: deadline - .now) != nil else { break }
    }
    guard let child = child.take() else { return 0 }
    child.kill()
    return child.status()
  }

  /// Waits at most `limit` for the process to end, and returns its wait status.
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
