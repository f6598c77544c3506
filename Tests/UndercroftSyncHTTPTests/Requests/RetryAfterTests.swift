#if SyncHTTP
  import Testing
  import UndercroftSyncHTTP

  @Suite struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC in milliseconds since 1970.
    private static let date: Int64 = 784_111_777_000

    @Test(arguments: [("0", Int64(0)), ("120", 120_000), (" 7 ", 7_000)])
    func `a number is a number of seconds`(text: String, milliseconds: Int64) {
      #expect(RetryAfter.milliseconds(text, now: 0) == milliseconds)
    }

    @Test(arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `a date in each of three forms is the wait until the date`(text: String) {
      #expect(RetryAfter.milliseconds(text, now: Self.date - 5_000) == 5_000)
      #expect(RetryAfter.milliseconds(text, now: Self.date + 5_000) == 0)
    }

    @Test(arguments: [
      ("Thu, 01 Jan 1970 00:00:01 GMT", Int64(1_000)),
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400_000),
      ("Wed, 31 Dec 2025 23:59:59 GMT", 1_767_225_599_000),
      ("Thu, 01 Jan 2026 00:00:00 GMT", 1_767_225_600_000),
    ])
    func `dates are counted in the Gregorian calendar`(text: String, milliseconds: Int64) {
      let now = milliseconds - 1_000

      #expect(RetryAfter.milliseconds(text, now: now) == 1_000)
    }

    @Test func `a year of two digits is at most 50 years in the future`() {
      let (start2027, end2076): (Int64, Int64) = (1_798_761_600_000, 3_376_684_799_000)

      #expect(
        RetryAfter.milliseconds("Thursday, 31-Dec-76 23:59:59 GMT", now: end2076 - 5_000) == 5_000)
      #expect(
        RetryAfter.milliseconds("Tuesday, 31-Dec-75 23:59:59 GMT", now: start2027)
          == 31_536_000_000)
      #expect(RetryAfter.milliseconds("Friday, 31-Dec-77 23:59:59 GMT", now: start2027) == 0)
    }

    @Test func `the longest wait is a year`() {
      let year: Int64 = 31_536_000_000

      #expect(RetryAfter.milliseconds("99999999999999999999999999", now: 0) == year)
      #expect(RetryAfter.milliseconds("Fri, 31 Dec 9999 23:59:59 GMT", now: 0) == year)
    }

    @Test(arguments: [
      "", "-1", "1.5", "soon", "1 2", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 XXX 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 CET", "Sun Nov 6 08:49:37 94", "Sun Nov 6 08:49:37 soon",
      "Sunday, 06-Nov-x4 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    ])
    func `any other value is no wait`(text: String) {
      #expect(RetryAfter.milliseconds(text, now: 0) == nil)
    }
  }
#endif
