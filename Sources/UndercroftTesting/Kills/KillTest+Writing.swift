public import UndercroftCore
import UndercroftFileSystem

extension KillTest {
  /// Opens a store and applies the batches of this test, beginning with number
  /// `first`, until the process is killed.
  ///
  /// The separate process of a test calls this function. The function prints the number of
  /// each batch after applying the batch, and does not return except by throwing an error.
  ///
  /// - Parameters:
  ///   - first: the number of the first batch.
  ///   - open: opens the store.
  /// - Throws: any error that opening the store or writing to it throws.
  public func write(from first: Int, _ open: () throws -> any StorageBackend) throws {
    Self.report("open")
    let backend = try open()
    let series = KillSeries(seed: seed)
    var number = first
    while true {
      try backend.apply(series.batch(number))
      Self.report("\(number)")
      number += 1
    }
  }

  // Writes directly to the pipe, because buffered output would be lost when the process is killed.
  private static func report(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    if UndercroftFileSystem.write(1, bytes, bytes.count) != bytes.count { exit(0) }
  }
}
