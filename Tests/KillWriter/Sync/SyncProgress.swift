import UndercroftFileSystem

/// What a process of the kill loop reports to it.
enum SyncProgress: String {
  /// The process has started to work.
  case ready = "ready"
  /// The client has synchronised.
  case synchronised = "synchronised"

  /// The line on the standard output that reports this progress.
  var line: String { rawValue + "\n" }

  func report() {
    let bytes = Array(line.utf8)
    _ = write(1, bytes, bytes.count)
  }
}
