import Testing
import UndercroftCore

@Suite struct DurationNanosecondsTests {
  @Test(
    arguments: [
      (.zero, 0), (.nanoseconds(7), 7), (.seconds(-2), -2_000_000_000),
      (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
      // The nanoseconds of the whole seconds fit, but not those of the sum.
      (
        Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 900_000_000_000_000_000),
        .max
      ),
      (
        Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -900_000_000_000_000_000),
        0
      ),
    ] as [(Duration, Int64)])
  func `Duration.nanoseconds is Int64.max on a positive overflow, and 0 on a negative overflow`(
    duration: Duration, nanoseconds: Int64
  ) {
    #expect(duration.nanoseconds == nanoseconds)
  }
}
