/// Times a call by repeating it for a while.
struct Stopwatch {
  let runs: Int
  /// How long one figure of one run is measured.
  let span: Duration
  /// Whether it is only to be seen that things work.
  var isShort = false

  /// Returns the microseconds of one call, or of a `perCall`-th of it.
  func time(perCall parts: Int = 1, _ call: (Int) throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    try call(0)
    var count = 0
    var chunk = 1
    var took = Duration.zero
    // Looking at the clock costs as much as a fast call, so calls are timed in growing chunks.
    while took < span {
      let start = clock.now
      for index in count..<count + chunk { try call(index) }
      took += clock.now - start
      count += chunk
      if took < span / 4 { chunk *= 2 }
    }
    return took / .microseconds(1) / Double(count) / Double(parts)
  }

  /// Uses a result, so that the work for it cannot be left out by the compiler.
  @inline(never)
  func keep(_ result: Int) {
    withUnsafePointer(to: result) { _ = $0.pointee }
  }
}
