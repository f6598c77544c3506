/// A timer that measures a call by repeating the call for a time span.
struct Stopwatch {
  let runs: Int
  /// The time span for one measurement of one run.
  let span: Duration
  /// Whether the run is only a short test that the benchmarks work.
  var isShort = false

  /// Returns the microseconds of one call, divided by the number of parts (`perCall`) of the call.
  func time(perCall parts: Int = 1, _ call: (Int) throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    try call(0)
    var count = 0
    var chunk = 1
    var took = Duration.zero
    // Reading the clock costs as much as a fast call, so calls are timed in growing chunks.
    while took < span {
      let start = clock.now
      for index in count..<count + chunk { try call(index) }
      took += clock.now - start
      count += chunk
      if took < span / 4 { chunk *= 2 }
    }
    return took / .microseconds(1) / Double(count) / Double(parts)
  }

  /// Uses a result, so that the compiler cannot omit the work for it.
  @inline(never)
  func keep(_ result: Int) {
    withUnsafePointer(to: result) { _ = $0.pointee }
  }
}
