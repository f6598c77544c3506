import Foundation

/// Returns the processor time that the calling thread has used, which other programs do not prolong.
package func workOfThisThread() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
