import FixtureLibrary
import Foundation
import Testing
import Undercroft
import UndercroftInspection

/// Tests of folders of files, property lists and single files that earlier versions wrote.
@Suite struct FileFixtureTests {
  /// Returns the three counters of the lock file: changes, batches, and the number of changes after
  /// the announced write.
  private func counters(of folder: URL) throws -> [UInt64] {
    let bytes = try Data(contentsOf: folder.appending(path: ".undercroft-lock"))
    return stride(from: 8, to: bytes.count, by: 8).map { place in
      bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  @Test(arguments: try Fixture.all("files"))
  func `a write to a file store of an earlier release increments the counters of the lock file`(
    fixture: Fixture
  )
    throws
  {
    try fixture.withCopy { folder in
      #expect(try counters(of: folder) == [2, 2, 2])

      try expect(KeyedValues.afterSecond, andOneMoreIn: { try FileBackend(in: folder) })

      #expect(try counters(of: folder) == [3, 2, 3])
    }
  }

  @Test(arguments: try Fixture.all("files-unfinished"))
  func `an inspector reads the committed batch of a killed writer and changes no file`(
    fixture: Fixture
  ) throws {
    try fixture.withCopy { folder in
      let files = try names(in: folder)
      #expect(files.contains(".undercroft-batch"))
      #expect(files.filter { $0.hasSuffix(".staged") }.count == 2)

      let store = try StoreInspectorFactory.files.open(folder, .init())
      let entries = try store.entries(withPrefix: "").map(\.name)
      let values = try KeyedValues.afterSecond.map { try store.bytes(of: $0.name) }

      #expect(entries == KeyedValues.afterSecond.map(\.name))
      #expect(values == KeyedValues.afterSecond.map(\.value))
      #expect(try names(in: folder) == files)
    }
  }

  @Test(arguments: try Fixture.all("files-unfinished"))
  func `opening a store completes the committed batch of a killed writer`(fixture: Fixture) throws {
    try fixture.withCopy { folder in
      // The first batch is counted. The second batch was announced, and the writer was killed
      // before it was complete.
      #expect(try counters(of: folder) == [1, 2, 2])

      try expect(KeyedValues.afterSecond, andOneMoreIn: { try FileBackend(in: folder) })

      let left = try names(in: folder).filter { $0.hasPrefix(".") }
      #expect(left == [".undercroft-files", ".undercroft-lock"])
      // One for the killed writer's batch, one for finishing it, one for the added value.
      #expect(try counters(of: folder) == [4, 3, 4])
    }
  }

  @Test(arguments: try Fixture.all("property-lists"))
  func `a property list store of an earlier release opens and accepts a new value`(fixture: Fixture)
    throws
  {
    try fixture.withCopy { folder in
      let floors = StorageKey<Int?>("floors", kind: .document)
      let binary = StorageKey<ReadingRoom?>("b", kind: .document, as: .binaryPropertyList)
      var storage = Storage()
      try storage.use(.propertyLists(in: folder), for: .document)

      #expect(try storage.names(of: .document) == ["b", "floors", "motto", "rooms/north"])
      #expect(try storage.load(HomeValues.room) == .north)
      #expect(try storage.load(HomeValues.motto) == "Silence & <order>")
      #expect(try storage.load(floors) == 3)
      #expect(try storage.load(binary) == .north)
      try storage.save(4, for: floors)
      storage.close()

      #expect(try storage.load(floors) == 4)
      #expect(try storage.load(HomeValues.room) == .north)
      #expect(
        try names(in: folder).filter { !$0.hasPrefix(".") }.allSatisfy { $0.hasSuffix(".plist") })
    }
  }

  @Test(arguments: try Fixture.all("single-file"))
  func `a single-file store of an earlier release opens and accepts a new value`(fixture: Fixture)
    throws
  {
    try fixture.withCopy { folder in
      let url = folder.appending(path: "archive")

      try expect(KeyedValues.afterSecond, andOneMoreIn: { try SingleFileBackend(at: url) })
    }
  }
}
