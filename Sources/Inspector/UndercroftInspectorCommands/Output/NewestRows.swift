import UndercroftInspection

/// The last rows of a result, up to a limit.
struct NewestRows {
  private let limit: Int
  private var buffer: [[ResultValue]] = []
  /// The position in ``buffer`` of the oldest row, if the buffer is full.
  private var start = 0
  /// Whether the result has more rows than the limit.
  private(set) var isShortened = false

  init(limit: Int) { self.limit = limit }

  mutating func append(_ row: [ResultValue]) {
    guard buffer.count >= limit else { return buffer.append(row) }
    isShortened = true
    guard limit > 0 else { return }
    buffer[start] = row
    start = (start + 1) % limit
  }

  var rows: [[ResultValue]] { Array(buffer[start...] + buffer[..<start]) }
}
