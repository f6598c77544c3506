import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftKeyValue

/// Tests of batches whose write or flush failed, and whose record cannot be truncated either.
@Suite(.enabled(if: faults_are_available() != 0)) struct UncutBatchTests {
  private static let write = Int32(FAULTS_WRITE.rawValue)
  private static let sync = Int32(FAULTS_SYNC.rawValue)
  private static let truncate = Int32(FAULTS_TRUNCATE.rawValue)

  /// Two instances of one store, and the journal that both begin with.
  private struct Store {
    let url: URL
    let failing: JournalledBackend
    let other: JournalledBackend
    let journal: FileHandle

    init(in directory: URL) throws {
      url = directory.appending(path: "settings")
      failing = try JournalledBackend(at: url, durability: .powerLoss)
      other = try JournalledBackend(at: url, durability: .powerLoss)
      try failing.apply([.set("loan/1", Data("Dune".utf8))])
      journal = try FileHandle(forReadingFrom: URL(filePath: url.path + ".journal"))
    }

    /// Applies a batch while calls fail, and expects that the batch is refused.
    func refuse(
      _ batch: [StorageChange], _ calls: Int32, first: Int32, count: Int32, _ error: Int32,
      shortenedTo length: Int32 = -1
    ) {
      faults_arm(calls, first, count, error)
      faults_shorten_to(length)
      #expect(throws: StorageError.self) { try failing.apply(batch) }
      _ = faults_disarm()
    }

    func bytes() throws -> Data? {
      try journal.seek(toOffset: 0)
      return try journal.readToEnd()
    }

    func inspected() throws -> [String] {
      try StoreInspectorFactory.settings.open(url, .init()).entries(withPrefix: "").map(\.name)
    }

    var isDamaged: Bool {
      get throws {
        try StoreInspectorFactory.settings.open(url, .init()).inspect().facts.contains {
          $0.name == "damage"
        }
      }
    }
  }

  @Test(arguments: [UInt8(0), 1], [false, true])
  func `a journal record that lacks its last byte is not completed by the next write`(
    last: UInt8, isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let store = try Store(in: directory)

      // A write without the last byte, the write of that byte, and the truncation fail.
      store.refuse(
        [.set("loan/x", Data([1, last]))], Self.write | Self.truncate, first: 1, count: 3, -ENOSPC)

      let left = try store.bytes()
      #expect(try store.inspected() == ["loan/1"])
      #expect(try !store.isDamaged)
      let next = isByOther ? store.other : store.failing
      try next.apply([.set("loan/2", Data("Emma".utf8))])
      #expect(try store.bytes() == left)
      #expect(try store.inspected() == ["loan/1", "loan/2"])
    }
  }

  @Test(arguments: [false, true])
  func `a failed batch that can be neither truncated nor marked invalid is not read or overwritten`(
    isByOther: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let store = try Store(in: directory)

      // The flush, the truncation and the mark fail.
      store.refuse(
        [.set("loan/x", Data("Emma".utf8))], Self.write | Self.sync | Self.truncate, first: 2,
        count: 3, EIO)

      #expect(try store.inspected() == ["loan/1"])
      let left = try store.bytes()
      let next = isByOther ? store.other : store.failing
      try next.apply([.set("loan/2", Data("Emma".utf8))])
      #expect(try store.bytes() == left)
      #expect(try store.inspected() == ["loan/1", "loan/2"])
    }
  }

  @Test
  func `if all writes and flushes of a batch failed, the next batch is written to a new journal`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try Store(in: directory)

      store.refuse(
        [.set("loan/x", Data("Emma".utf8))], Self.write | Self.sync | Self.truncate, first: 2,
        count: 1_000, EIO)

      let left = try store.bytes()
      // The refused batch is complete in the file, and is read like another instance's batch.
      #expect(try waitUntil { try store.failing.read("loan/x") != nil })
      try store.failing.apply([.set("loan/2", Data("Moby".utf8))])
      #expect(try store.bytes() == left)
      let names = try store.inspected()
      #expect(names.contains("loan/1") && names.contains("loan/2"))
    }
  }

  /// The files that an instance finds after a kill between a failed flush and the truncation.
  @Test
  func `a batch whose writer was killed after a failed flush is stored completely or not at all`()
    throws
  {
    try withTemporaryDirectory { directory in
      let store = try Store(in: directory)
      let names = ["settings", "settings.journal"]
      let before = try Data(contentsOf: directory.appending(path: names[1])).count
      final class Copy {
        let from: URL
        init(_ from: URL) { self.from = from }
      }
      let copy = Copy(directory)
      faults_before_sync(
        { context in
          guard let context else { return }
          let from = Unmanaged<Copy>.fromOpaque(context).takeUnretainedValue().from
          let to = from.appending(path: "killed")
          try? FileManager.default.createDirectory(at: to, withIntermediateDirectories: false)
          for name in ["settings", "settings.journal"] {
            try? FileManager.default.copyItem(
              at: from.appending(path: name), to: to.appending(path: name))
          }
        }, Unmanaged.passUnretained(copy).toOpaque())

      store.refuse(
        [.set("loan/x", Data("Emma".utf8)), .set("loan/y", Data("Moby".utf8))], Self.sync,
        first: 1, count: 1, EIO)

      withExtendedLifetime(copy) {}
      let killed = directory.appending(path: "killed")

      let journal = try Data(contentsOf: killed.appending(path: names[1]))
      #expect(journal.count > before)
      // A power failure may also lose any part of the record.
      for count in before...journal.count {
        let location = directory.appending(path: "opened-\(count)")
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
          at: killed.appending(path: names[0]), to: location.appending(path: names[0]))
        try journal.prefix(count).write(to: location.appending(path: names[1]))

        let opened = try JournalledBackend(at: location.appending(path: names[0]))

        let isWhole = count == journal.count
        #expect(
          try opened.keys(withPrefix: "") == ["loan/1"] + (isWhole ? ["loan/x", "loan/y"] : []))
        #expect(opened.damage == nil)
      }
    }
  }
}
