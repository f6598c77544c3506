import Foundation

/// Returns the processor time that the calling thread has used, which does not depend on other
/// programs.
package func workOfThisThread() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
