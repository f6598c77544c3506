import FixtureLibrary
import Foundation
import Testing
import Undercroft
import UndercroftGDBM

/// Tests of settings stores with GDBM files that earlier versions wrote.
@Suite struct GDBMFixtureTests {
  private func open(_ folder: URL) throws -> JournalledBackend {
    try JournalledBackend(at: folder.appending(path: "library.gdbm"), format: GDBMFormat())
  }

  @Test(arguments: try Fixture.all("gdbm"))
  func `a GDBM store with a journal, written by an earlier release, opens and accepts a new value`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      try expect(KeyedValues.afterSecond, andOneMoreIn: { try open(folder) })
    }
  }

  @Test(arguments: try Fixture.all("gdbm-closed"))
  func `a GDBM store that an earlier release closed opens and accepts a new value`(fixture: Fixture)
    throws
  {
    try fixture.withCopy { folder in
      let journal = folder.appending(path: "library.gdbm.journal")
      #expect(try Data(contentsOf: journal) == Data("UNDJRNL1".utf8))

      try expect(KeyedValues.afterSecond, andOneMoreIn: { try open(folder) })
    }
  }

  @Test(arguments: try Fixture.all("gdbm-alone"))
  func `a GDBM file without a journal opens as a store`(fixture: Fixture) throws {
    try fixture.withCopy { folder in
      try expect(KeyedValues.afterSecond, andOneMoreIn: { try open(folder) })
    }
  }
}
