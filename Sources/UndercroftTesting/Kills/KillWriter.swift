public import UndercroftCore
import UndercroftFileSystem

/// The child of a ``KillLoop``: writes until it is killed, and tells its parent what is done.
public enum KillWriter {
  /// Opens a store and applies the batches of `series` from number `first` on, for ever; prints
  /// each number once its batch is kept.
  ///
  /// - Throws: what opening or writing throws; otherwise it ends with the process.
  public static func run(
    _ series: KillSeries, from first: Int, _ open: () throws -> any StorageBackend
  ) throws {
    tell("open")
    let backend = try open()
    var number = first
    while true {
      try backend.apply(series.batch(number))
      tell("\(number)")
      number += 1
    }
  }

  // Straight to the pipe: what is still in a buffer when the process dies was never said.
  private static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    if write(1, bytes, bytes.count) != bytes.count { exit(0) }
  }
}
