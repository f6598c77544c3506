import UndercroftFoundation

/// A stream writer that throws before a value exceeds the maximum size of its kind.
final class LimitedWriter: StreamWriter {
  private let upstream: any StreamWriter
  private let check: (Int) throws(StorageError) -> Void
  private var count = 0

  init(
    _ upstream: any StreamWriter, checking check: @escaping (Int) throws(StorageError) -> Void
  ) {
    self.upstream = upstream
    self.check = check
  }

  func write(_ chunk: Data) throws(StorageError) {
    try check(count + chunk.count)
    try upstream.write(chunk)
    count += chunk.count
  }

  func finish() throws(StorageError) { try upstream.finish() }
}
