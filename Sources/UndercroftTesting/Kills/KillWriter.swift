public import UndercroftCore
import UndercroftFileSystem

/// The child process of a ``KillLoop``, which writes until it is killed and
/// reports each applied batch to its parent.
public enum KillWriter {
  /// Opens a store and applies the batches of `series`, beginning with number
  /// `first`, until the process is killed.
  ///
  /// Prints each number after its batch is applied.
  ///
  /// The function does not return, except by an error.
  ///
  /// - Throws: the errors of opening the store and of writing.
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

  // Writes directly to the pipe, because buffered output would be lost when the process is killed.
  private static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    if write(1, bytes, bytes.count) != bytes.count { exit(0) }
  }
}
