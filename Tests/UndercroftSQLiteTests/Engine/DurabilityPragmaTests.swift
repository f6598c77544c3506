import Testing
import UndercroftCore
import UndercroftSQLite

@Suite struct DurabilityPragmaTests {
  @Test
  func `powerLoss durability enables fullfsync only where fsync does not flush the disk cache`() {
    #expect(
      Durability.powerLoss.pragmas(flushesFully: true) == [
        "PRAGMA synchronous = FULL", "PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON",
      ])
    #expect(Durability.powerLoss.pragmas(flushesFully: false) == ["PRAGMA synchronous = FULL"])
    #expect(Durability.processDeath.pragmas(flushesFully: true) == ["PRAGMA synchronous = NORMAL"])
    #if canImport(Darwin)
      #expect(Durability.needsFullFlush)
    #else
      #expect(!Durability.needsFullFlush)
    #endif
  }
}
