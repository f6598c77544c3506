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

  @Test func `without a commit or request, the next synchronisation is due after the interval`() {
    #expect(schedule.delay(at: 0) == 300_000)
    #expect(schedule.delay(at: 299_999) == 1)
  }

  @Test func `several commits are synchronised together, a fixed delay after the first commit`() {
    var schedule = schedule

    schedule.note(.committed, at: 100)
    schedule.note(.committed, at: 250)

    #expect(schedule.delay(at: 250) == 50)
  }

  @Test
  func `entering a screen makes a synchronisation due only if the last one is older than a limit`()
  {
    var schedule = schedule

    schedule.note(.screenEntered, at: 4_999)
    #expect(schedule.delay(at: 4_999) == 295_001)
    schedule.note(.screenEntered, at: 5_000)
    #expect(schedule.delay(at: 5_000) == 0)
  }

  @Test func `each repeated error doubles the delay of the next synchronisation up to a maximum`() {
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

  @Test
  func `during the delay after an error, only an explicit request makes a synchronisation due`() {
    var schedule = schedule
    schedule.begin()
    schedule.noteError(at: 0, isRepeated: true, fraction: 0)

    schedule.note(.poked, at: 10)
    #expect(schedule.delay(at: 10) == 990)
    schedule.note(.demand, at: 10)
    #expect(schedule.delay(at: 10) == 0)
  }

  @Test func `the delay after an error can be longer than all other times`() {
    var options = SyncOptions()
    options.shortestBackOff = 600_000
    var schedule = SyncSchedule(options, at: 0)
    schedule.begin()

    schedule.noteError(at: 0, isRepeated: true, fraction: 0.5)

    #expect(schedule.delay(at: 0) == 600_000)
  }

  @Test
  func `after an error that must not be retried, no synchronisation is due without a request`() {
    var schedule = schedule
    schedule.begin()

    schedule.noteError(at: 0, isRepeated: false, fraction: 0)

    #expect(schedule.delay(at: 1_000_000) == nil)
  }

  @Test func `setting the clock back by years does not delay the next synchronisation`() {
    var schedule = schedule
    schedule.noteSuccess(at: .max, fraction: 0)

    #expect(schedule.delay(at: 0) == 0)
    #expect(schedule.delay(at: .min) == 0)
  }
}
