/// A process, or a group of equal processes, that the kill loop kills and starts again.
protocol Killable: AnyObject {
  var name: String { get }

  /// Starts the process without waiting for it.
  func start() throws

  /// Waits at most one minute until the process has made this progress, and returns whether it has.
  func wait(for progress: SyncProgress) -> Bool

  /// Kills the process after the given time, or earlier if it ends.
  ///
  /// Returns its wait status: `SIGKILL` if the process was alive, or 0 if it was not started.
  func kill(after moment: Duration) -> Int32
}
