import Foundation

/// The time that this thread has worked, without what others took of the processor meanwhile.
func workOfThisThread() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
