import DifferentialChecks
import Testing
import UndercroftSync

@Suite struct HybridClockTests {
  private static let now: Int64 = 1_732_000_000_000

  @Test func `a timestamp consists of the time in milliseconds and a counter`() {
    var clock = HybridClock()

    let first = clock.next(at: Self.now)
    let second = clock.next(at: Self.now)

    #expect(first.milliseconds == Self.now)
    #expect(first.counter == 0)
    #expect(second.milliseconds == Self.now)
    #expect(second.counter == 1)
  }

  @Test
  func `a new timestamp is later than all previous ones, even if the system clock goes back`() {
    for seed in 0..<UInt64(200) {
      let choices = Choices(seed: seed)
      var clock = HybridClock()
      var last = clock.last
      for _ in 0..<200 {
        let milliseconds = choices.pick([
          Self.now, Self.now + 1, 0, -1, .min, Self.now - 31_536_000_000, Self.now + 31_536_000_000,
        ])
        let timestamp = clock.next(at: milliseconds)
        #expect(timestamp > last, "seed \(seed)")
        last = timestamp
      }
    }
  }

  @Test
  func `if the counter of a millisecond is full, the next timestamp is in the next millisecond`() {
    var clock = HybridClock()
    var timestamps: [HybridTimestamp] = []

    for _ in 0...65_536 { timestamps.append(clock.next(at: Self.now)) }

    #expect(timestamps[65_535].milliseconds == Self.now)
    #expect(timestamps[65_535].counter == .max)
    #expect(timestamps[65_536].milliseconds == Self.now + 1)
    #expect(timestamps[65_536].counter == 0)
  }

  @Test
  func
    `after a clock received a later timestamp, its next timestamp is later than the received one`()
  {
    var clock = HybridClock()
    let received = HybridTimestamp(milliseconds: Self.now + 315_360_000_000)

    clock.merge(received)
    clock.merge(HybridTimestamp(milliseconds: Self.now))

    #expect(clock.next(at: Self.now) > received)
  }

  @Test
  func `a timestamp beyond the server's time plus the maximum drift is clamped to this limit`() {
    let ahead = HybridTimestamp(milliseconds: Self.now + 2_000_000_000_000)
    let near = HybridTimestamp(milliseconds: Self.now + 59_999)

    #expect(
      ahead.clamped(now: Self.now, maximumDrift: 60_000)
        == HybridTimestamp(milliseconds: Self.now + 60_000))
    #expect(near.clamped(now: Self.now, maximumDrift: 60_000) == near)
    #expect(near.clamped(now: .max, maximumDrift: 60_000) == near)
    #expect(near.clamped(now: .min, maximumDrift: -1) == .zero)
  }

  @Test
  func `a hybrid clock clamps times beyond its largest or smallest time and does not overflow`() {
    var clock = HybridClock(last: .maximum)

    #expect(clock.next(at: .max) == .maximum)
    #expect(clock.next(at: .min) == .maximum)
    #expect(HybridTimestamp(milliseconds: .max).milliseconds == (1 << 47) - 1)
    #expect(HybridTimestamp(milliseconds: .min) == .zero)
    #expect(HybridTimestamp(clamping: -1) == .zero)
  }

  @Test func `a timestamp is encoded as 16 hexadecimal digits and decoded from them`() {
    let timestamp = HybridTimestamp(clamping: 0x0193_4a00_0000_0003)

    #expect(timestamp.digits == "01934a0000000003")
    #expect(HybridTimestamp(digits: timestamp.digits) == timestamp)
    #expect(HybridTimestamp.zero.digits == "0000000000000000")
    #expect(HybridTimestamp(digits: HybridTimestamp.maximum.digits) == .maximum)
  }

  @Test(arguments: [
    "", "1", "01934a000000000", "01934a00000000030", "01934A0000000003", "8000000000000000",
    "ffffffffffffffff", "-1934a0000000003", "+1934a0000000003", "0x934a0000000003",
    "01934a000000000g",
  ])
  func `decoding text that is not a valid timestamp of 16 hexadecimal digits returns nil`(
    digits: String
  ) {
    #expect(HybridTimestamp(digits: digits) == nil)
  }
}
