// The one place that names the C library of each platform.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// What differs between the systems' headers, or is missing from Swift's view of them.
package enum Platform {
  #if canImport(Darwin)
    /// Locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 90
  #else
    /// Locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 37
  #endif

  /// Calls `call` again for as long as a signal interrupts it. (`EINTR`)
  ///
  /// Local file systems interrupt almost no call; network file systems and those in user space do.
  package static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// Returns nanoseconds since some moment, a few milliseconds behind, for the price of a look into memory.
  package static func coarseNow() -> Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #endif
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
