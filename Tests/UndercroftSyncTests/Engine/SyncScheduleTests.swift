import Testing
import UndercroftSync

@Suite struct SyncScheduleTests {
  private static let options = SyncOptions()

  private var schedule: SyncSchedule {
    var schedule = SyncSchedule(Self.options, at: 0)
    schedule.begin()
    schedule.noteSuccess(at: 0, fraction: 0)
    return schedule
  }

  @Test func `the first synchronisation is due immediately`() {
    let schedule = SyncSchedule(Self.options, at: 10)

    #expect(schedule.delay(at: 10) == 0)
  }

  @Test func `without a trigger the interval passes`() {
    #expect(schedule.delay(at: 0) == 300_000)
    #expect(schedule.delay(at: 299_999) == 1)
  }

  @Test func `commits are synchronised together after the first of them`() {
    var schedule = schedule

    schedule.note(.committed, at: 100)
    schedule.note(.committed, at: 250)

    #expect(schedule.delay(at: 250) == 50)
  }

  @Test func `entering a screen again within the interval has no effect`() {
    var schedule = schedule

    schedule.note(.screenEntered, at: 4_999)
    #expect(schedule.delay(at: 4_999) == 295_001)
    schedule.note(.screenEntered, at: 5_000)
    #expect(schedule.delay(at: 5_000) == 0)
  }

  @Test func `after errors the waits grow up to the longest one`() {
    var schedule = schedule

    var bounds: [Int64] = []
    for _ in 0..<40 {
      schedule.begin()
      schedule.noteError(at: 0, isRepeated: true, fraction: 1)
      bounds.append(schedule.delay(at: 0) ?? -1)
    }

    #expect(bounds.prefix(3) == [2_000, 4_000, 8_000])
    #expect(bounds.suffix(30).allSatisfy { $0 == 300_000 })
  }

  @Test func `during a wait after an error only a demand is due`() {
    var schedule = schedule
    schedule.begin()
    schedule.noteError(at: 0, isRepeated: true, fraction: 0)

    schedule.note(.poked, at: 10)
    #expect(schedule.delay(at: 10) == 990)
    schedule.note(.demand, at: 10)
    #expect(schedule.delay(at: 10) == 0)
  }

  @Test func `an error that is not repeated needs a trigger`() {
    var schedule = schedule
    schedule.begin()

    schedule.noteError(at: 0, isRepeated: false, fraction: 0)

    #expect(schedule.delay(at: 1_000_000) == nil)
  }

  @Test func `a clock that is set back by years does not stop the schedule`() {
    var schedule = schedule
    schedule.noteSuccess(at: .max, fraction: 0)

    #expect(schedule.delay(at: 0) == 0)
    #expect(schedule.delay(at: .min) == 0)
  }
}
