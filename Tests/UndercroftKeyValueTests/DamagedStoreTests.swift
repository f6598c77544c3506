import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftKeyValue

@Suite struct DamagedStoreTests {
  private static let snapshotBatch: [StorageChange] = [
    .set("author/1", Data("Le Guin".utf8)), .set("author/2", Data()),
  ]
  private static let journalBatches: [[StorageChange]] = [
    [.set("loan/1", Data("Dune".utf8)), .remove("author/2")],
    [.set("loan/2", Data([0, 0, 0, 0, 0]))],
    [.set("author/1", Data("Ursula K. Le Guin".utf8))],
  ]

  /// The contents of the store after the snapshot and the first `count` batches of the journal.
  private static func values(after count: Int) -> [String: Data] {
    var values: [String: Data] = [:]
    for change in snapshotBatch + journalBatches.prefix(count).joined() {
      switch change {
      case .set(let name, let bytes): values[name] = bytes
      case .remove(let name): values[name] = nil
      }
    }
    return values
  }

  private static func make(in directory: URL) throws -> (url: URL, snapshot: Data, journal: Data) {
    let url = directory.appending(path: "settings")
    let backend = try JournalledBackend(at: url)
    try backend.apply(snapshotBatch)
    try backend.checkpoint()
    for batch in journalBatches { try backend.apply(batch) }
    return (
      url, try Data(contentsOf: url), try Data(contentsOf: URL(filePath: url.path + ".journal"))
    )
  }

  private static func values(of store: some StorageBackend) throws -> [String: Data] {
    var values: [String: Data] = [:]
    for name in try store.keys(withPrefix: "") { values[name] = try store.read(name) }
    return values
  }

  @Test(.heavy)
  func `opening a store whose snapshot has a flipped bit throws and does not change the snapshot`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, snapshot, _) = try Self.make(in: directory)
      for bit in 0..<snapshot.count * 8 {
        let damaged = flipping(bit, of: snapshot)
        try damaged.write(to: url)

        let error = #expect(throws: StorageError.self, "bit \(bit)") {
          try JournalledBackend(at: url)
        }
        #expect(error?.code == .corrupted)
        #expect(try Data(contentsOf: url) == damaged)
      }
    }
  }

  @Test
  func
    `opening a journal with a flipped bit in the magic bytes throws and does not change the file`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, _, journal) = try Self.make(in: directory)
      let journalURL = URL(filePath: url.path + ".journal")
      for bit in 0..<64 {
        let damaged = flipping(bit, of: journal)
        try damaged.write(to: journalURL)
        let error = #expect(throws: StorageError.self, "bit \(bit)") {
          try JournalledBackend(at: url)
        }
        #expect(error?.code == .corrupted)
        #expect(try Data(contentsOf: journalURL) == damaged)
      }
    }
  }

  @Test(.heavy)
  func `a store with a flipped bit in a batch reports damage and drops that and all later batches`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, snapshot, journal) = try Self.make(in: directory)
      let journalURL = URL(filePath: url.path + ".journal")
      var ends = [8]
      for batch in Self.journalBatches { ends.append(ends[ends.count - 1] + Self.size(of: batch)) }

      #expect(ends.last == journal.count)
      for bit in 64..<journal.count * 8 {
        let damaged = flipping(bit, of: journal)
        let whole = ends.filter { $0 <= bit / 8 }.count - 1
        try snapshot.write(to: url)
        try damaged.write(to: journalURL)

        let store = try JournalledBackend(at: url)

        #expect(try Self.values(of: store) == Self.values(after: whole), "bit \(bit)")
        let damage = try #require(store.damage, "bit \(bit)")
        #expect(damage.path == journalURL.path)
        #expect(damage.offset == ends[whole])
        #expect(damage.unrecoveredByteCount == journal.count - ends[whole])
        let preserved = try #require(damage.preservedPath)
        #expect(preserved == journalURL.path + ".damaged-1")
        #expect(try Data(contentsOf: URL(filePath: preserved)) == damaged)
        try FileManager.default.removeItem(atPath: preserved)
        #expect(try JournalledBackend(at: url).damage == nil)
      }
    }
  }

  /// The size in bytes of the record that holds a batch.
  private static func size(of batch: [StorageChange]) -> Int {
    batch.reduce(12) { sum, change in
      switch change {
      case .set(let name, let bytes): sum + 9 + name.utf8.count + bytes.count
      case .remove(let name): sum + 5 + name.utf8.count
      }
    }
  }

  @Test(.heavy)
  func `opening a store with a truncated journal restores all complete batches`() throws {
    try withTemporaryDirectory { directory in
      let (url, _, journal) = try Self.make(in: directory)
      let journalURL = URL(filePath: url.path + ".journal")
      let wanted = (0...Self.journalBatches.count).map(Self.values(after:))
      var last = 0
      for count in 8...journal.count {
        try journal.prefix(count).write(to: journalURL)
        let found = try Self.values(of: JournalledBackend(at: url))
        let state = try #require(wanted.firstIndex(of: found), "cut at \(count)")
        #expect(state >= last, "cut at \(count)")
        last = state
      }

      #expect(last == Self.journalBatches.count)
    }
  }

  @Test
  func
    `opening a journal truncated within the magic bytes throws and leaves the journal unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, _, journal) = try Self.make(in: directory)
      let journalURL = URL(filePath: url.path + ".journal")
      for count in 0..<8 {
        try journal.prefix(count).write(to: journalURL)
        #expect(throws: StorageError.self, "cut at \(count)") { try JournalledBackend(at: url) }
        #expect(try Data(contentsOf: journalURL) == journal.prefix(count))
      }
    }
  }

  @Test func `opening a store throws if its snapshot is truncated at any byte`() throws {
    try withTemporaryDirectory { directory in
      let (url, snapshot, _) = try Self.make(in: directory)
      for count in 0..<snapshot.count {
        try snapshot.prefix(count).write(to: url)
        let error = #expect(throws: StorageError.self) { try JournalledBackend(at: url) }
        #expect(error?.code == .corrupted, "cut at \(count)")
      }
    }
  }

  @Test
  func `opening a store removes zeros that a power failure left after the journal's last batch`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, _, journal) = try Self.make(in: directory)
      let journalURL = URL(filePath: url.path + ".journal")
      for zeros in [1, 12, 4096, 10_000] {
        try (journal + Data(count: zeros)).write(to: journalURL)
        let store = try JournalledBackend(at: url)
        #expect(try Self.values(of: store) == Self.values(after: 3))
        #expect(store.damage == nil)
        #expect(try Data(contentsOf: journalURL).count == 8)
        #expect(try Self.values(of: JournalledBackend(at: url)) == Self.values(after: 3))
      }
    }
  }

  @Test
  func `if a journal is zeroed from any page on, only the batches in the zeroed pages are lost`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, _, _) = try Self.make(in: directory)
      let journalURL = URL(filePath: url.path + ".journal")
      do {
        let store = try JournalledBackend(at: url)
        for loan in 10..<400 { try store.apply([.set("loan/\(loan)", Data("Dune".utf8))]) }
      }

      let journal = try Data(contentsOf: journalURL)
      #expect(journal.count > 3 * 4_096)
      for page in 1..<(journal.count + 4_095) / 4_096 {
        var torn = journal
        torn.replaceSubrange((page * 4_096)..., with: Data(count: journal.count - page * 4_096))
        try torn.write(to: journalURL)
        let names = try JournalledBackend(at: url).keys(withPrefix: "loan/")
        #expect(names.count > page * 100 && names.count < page * 150, "blank from page \(page)")
      }
    }
  }

  @Test func `opening a store whose snapshot is missing throws and leaves the journal unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let (url, _, journal) = try Self.make(in: directory)
      try FileManager.default.removeItem(at: url)

      let error = #expect(throws: StorageError.self) { try JournalledBackend(at: url) }

      #expect(error?.code == .corrupted)
      #expect(try Data(contentsOf: URL(filePath: url.path + ".journal")) == journal)
    }
  }

  @Test(.timeLimit(.hangLimit), arguments: ["", ".journal"])
  func `opening a named pipe in place of a store's file throws without blocking`(
    suffix: String
  ) throws {
    try withTemporaryDirectory { directory in
      let (url, _, _) = try Self.make(in: directory)
      try FileManager.default.removeItem(atPath: url.path + suffix)

      #expect(mkfifo(url.path + suffix, 0o600) == 0)
      #expect(throws: StorageError.self) { try JournalledBackend(at: url) }
      #expect(throws: StorageError.self) { try StoreInspectorFactory.settings.open(url, .init()) }
    }
  }

  @Test func `a batch written after a torn batch can be read`() throws {
    try withTemporaryDirectory { directory in
      let (url, _, journal) = try Self.make(in: directory)
      try journal.dropLast(3).write(to: URL(filePath: url.path + ".journal"))
      try JournalledBackend(at: url).apply([.set("loan/3", Data("Emma".utf8))])
      var wanted = Self.values(after: 2)
      wanted["loan/3"] = Data("Emma".utf8)

      #expect(try Self.values(of: JournalledBackend(at: url)) == wanted)
    }
  }

  @Test func `opening a store throws if a symbolic link is in place of the journal`() throws {
    try withTemporaryDirectory { directory in
      let (url, _, _) = try Self.make(in: directory)
      let victim = directory.appending(path: "victim")
      try Data("keep me".utf8).write(to: victim)
      try FileManager.default.removeItem(atPath: url.path + ".journal")
      try FileManager.default.createSymbolicLink(
        atPath: url.path + ".journal", withDestinationPath: victim.path)

      #expect(throws: StorageError.self) { try JournalledBackend(at: url) }
      #expect(try Data(contentsOf: victim) == Data("keep me".utf8))
    }
  }

  private func flipping(_ bit: Int, of data: Data) -> Data {
    var data = data
    data[data.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
    return data
  }
}
