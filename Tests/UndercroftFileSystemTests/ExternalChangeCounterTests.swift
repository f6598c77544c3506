import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct ExternalChangeCounterTests {
  /// A store whose disk is a number, which the test changes like another instance.
  private struct Desk: ExternalChangeDetector {
    var loansOnDisk = 0
    var loans = 0
    var readCount = 0
    var isReadable = true
    var externalChanges = ExternalChangeCounter()

    mutating func readExternalChanges() throws(StorageError) {
      readCount += 1
      guard isReadable else { throw StorageError(.io, "cannot read the loans") }
      if loans != loansOnDisk { externalChanges.increment() }
      loans = loansOnDisk
    }
  }

  @Test
  func `a check for external changes is due when the last check is older than the maximum age`() {
    var counter = ExternalChangeCounter()
    let now: Int64 = 1_000_000_000
    #expect(counter.isDue(at: now))

    counter.didCheck(at: now)

    #expect(!counter.isDue(at: now + ExternalChangeCounter.maximumStaleness))
    #expect(counter.isDue(at: now + ExternalChangeCounter.maximumStaleness + 1))
  }

  @Test func `each call of currentChangeCount() reads the change count from the disk`() throws {
    var desk = Desk()
    for loan in 1...3 {
      desk.loansOnDisk = loan

      #expect(try desk.currentChangeCount() == UInt64(loan))
    }

    #expect(desk.readCount == 3)
  }

  @Test
  func `knownChangeCount() reads the disk again if the cached count is older than the maximum age`()
  {
    var desk = Desk()
    desk.loansOnDisk = 1
    #expect(desk.knownChangeCount() == 1)
    desk.loansOnDisk = 2

    usleep(50_000)

    #expect(desk.knownChangeCount() == 2)
    #expect(desk.readCount == 2)
  }

  @Test
  func `if a read fails, knownChangeCount() returns the old count, and the next call reads again`()
  {
    var desk = Desk()
    desk.isReadable = false
    desk.loansOnDisk = 1
    #expect(desk.knownChangeCount() == 0)

    desk.isReadable = true

    #expect(desk.knownChangeCount() == 1)
    #expect(desk.readCount == 2)
  }
}
