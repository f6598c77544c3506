import FixtureLibrary
import Foundation
import Testing
import Undercroft

/// Tests of application homes that earlier versions wrote.
@Suite struct HomeFixtureTests {
  private func expectValues(in storage: Storage) throws {
    #expect(try storage.load(HomeValues.theme) == "dark")
    #expect(try storage.load(HomeValues.fontSize) == 14)
    #expect(try storage.load(HomeValues.token) == "hunter2")
    #expect(try storage.load(HomeValues.room) == .north)
    #expect(try storage.load(HomeValues.motto) == "Silence & <order>")
    #expect(try storage.load(HomeValues.seats) == ["A": 12, "B": -3])
    #expect(try storage.load(HomeValues.cover) == Data([0xff, 0xd8, 0]))
    #expect(try storage.load(HomeValues.digest) == [3, 1, 2])
    #expect(try storage.load(HomeValues.opening) == ReadingRoom.north.opened)
    #expect(try storage.load(HomeValues.desk) == .north)
    #expect(try storage.load(HomeValues.locker) == true)
    #expect(try storage.load(HomeValues.counter) == 0.1)
    #expect(try storage.load(HomeValues.complaint) == "too loud")
    #expect(try storage.load(HomeValues.stamp) == "é")
    #expect(try storage.load(HomeValues.binary) == .north)
    let authors = try storage.database(for: .record).read { db in
      try HallAuthor.fetchAll(in: db)
    }
    #expect(authors == HallAuthor.all)
  }

  @Test(arguments: try Fixture.all("home"))
  func `a storage of an earlier release loads a value of every data kind and accepts new values`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { home in
      let storage = try HomeValues.storage(at: home)

      try expectValues(in: storage)
      #expect(try storage.names(of: .preference) == ["font-size", "theme"])
      #expect(try storage.names(of: .desk) == ["1", "b", "stamp"])
      #expect(try storage.names(of: .locker) == ["1"])
      #expect(try storage.names(of: .complaint) == ["1"])
      let added =
        DataKind.standardKinds.filter { $0 != .blob } + [.desk, .locker, .counter, .complaint]
      for kind in added { try storage.save("added", for: StorageKey<String?>("z", kind: kind)) }
      storage.close()

      let again = try HomeValues.storage(at: home)
      try expectValues(in: again)
      for kind in added {
        #expect(try again.load(StorageKey<String?>("z", kind: kind)) == "added", "\(kind)")
      }
    }
  }

  @Test(arguments: try Fixture.all("home"))
  func `opening a storage does not rewrite an unchanged manifest`(fixture: Fixture) throws {
    try fixture.withCopy { home in
      let url = home.appending(path: "undercroft.json")
      let original = try Data(contentsOf: fixture.original.appending(path: "undercroft.json"))
      var before = stat()
      #expect(stat(url.path, &before) == 0)

      try HomeValues.storage(at: home).save("light", for: HomeValues.theme)

      var after = stat()
      #expect(stat(url.path, &after) == 0)
      #expect(before.st_ino == after.st_ino)
      #expect(try Data(contentsOf: url) == original)
    }
  }
}
