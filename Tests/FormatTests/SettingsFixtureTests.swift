import FixtureLibrary
import Foundation
import Testing
import Undercroft
import UndercroftInspection

/// Tests of settings stores that earlier versions wrote.
@Suite struct SettingsFixtureTests {
  @Test(arguments: try Fixture.all("settings"))
  func `a settings store with a journal, written by an earlier release, opens and accepts a value`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let url = folder.appending(path: "settings")

      try expect(KeyedValues.afterSecond, andOneMoreIn: { try JournalledBackend(at: url) })

      #expect(try names(in: folder) == ["settings", "settings.journal", "settings.lock"])
    }
  }

  @Test(arguments: try Fixture.all("settings-torn"))
  func `on opening, a settings store discards an unfinished journal batch and accepts a new value`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let url = folder.appending(path: "settings")

      try expect(KeyedValues.afterFirst, andOneMoreIn: { try JournalledBackend(at: url) })

      #expect(try JournalledBackend(at: url).damage == nil)
      #expect(try names(in: folder) == ["settings", "settings.journal", "settings.lock"])
    }
  }

  @Test(arguments: try Fixture.all("settings"))
  func `an inspector reads the values of a journalled store and changes no file`(fixture: Fixture)
    throws
  {
    try fixture.withCopy { folder in
      let url = folder.appending(path: "settings")
      let journal = try Data(contentsOf: URL(filePath: url.path + ".journal"))

      let store = try StoreInspectorFactory.settings.open(url, .init())

      #expect(
        try store.entries(withPrefix: "").map(\.name) == KeyedValues.afterSecond.map(\.name))
      #expect(try store.bytes(of: "loan/2") == Data("Emma".utf8))
      #expect(try store.inspect().format == "settings snapshot 1 with journal 1")
      #expect(try Data(contentsOf: URL(filePath: url.path + ".journal")) == journal)
    }
  }
}
