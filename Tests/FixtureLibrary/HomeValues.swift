package import Foundation
package import Undercroft

/// A reading room, which the fixtures store as a property list and as JSON.
package struct ReadingRoom: Codable, Sendable, Equatable {
  package var name: String
  package var seats: Int
  package var isOpen: Bool
  package var opened: Date
  package var plan: Data
  package var shelves: [String]
  package var warden: String?

  private enum CodingKeys: String, CodingKey {
    case name = "name"
    case seats = "seats"
    case isOpen = "isOpen"
    case opened = "opened"
    case plan = "plan"
    case shelves = "shelves"
    case warden = "warden"
  }

  package static let north = ReadingRoom(
    name: "North & <quiet>", seats: 42, isOpen: true,
    opened: Date(timeIntervalSinceReferenceDate: 700_000_000), plan: Data([0, 1, 255]),
    shelves: ["A", "Ö"], warden: nil)
}

extension DataKind {
  /// The kind of desks, whose values are in the same settings store as those of lockers.
  package static let desk = DataKind("desk")
  package static let locker = DataKind("locker")
  /// The kind of counters, whose settings store has a namespace.
  package static let counter = DataKind("counter")
  /// The kind of complaints, which an encryption layer stores in files.
  package static let complaint = DataKind("complaint", requiredCapabilities: .confidential)
}

/// The values in the fixture of an application's home, each with a different kind and type.
package enum HomeValues {
  /// Creates the storage of the application.
  ///
  /// Two kinds share a store, one kind has a namespace, and one kind is encrypted.
  package static func storage(at home: URL) throws -> Storage {
    var storage = try Storage(StorageDirectories(home: home), application: "library")
    try storage.use(.settings(at: home.appending(path: "furniture")), for: .desk, .locker)
    try storage.use(
      .settings(at: home.appending(path: "counters")).namespaced("hall"), for: .counter)
    let key = EncryptionKey.keyFile(home.appending(path: "keys/complaints.key"))
    try storage.use(
      .files(in: home.appending(path: "complaints")).encrypted(with: key), for: .complaint)
    return storage
  }

  package static let theme = StorageKey<String?>("theme", kind: .preference)
  package static let fontSize = StorageKey<Int>("font-size", kind: .preference, default: 0)
  package static let token = StorageKey<String?>("token", kind: .secret)
  package static let room = StorageKey<ReadingRoom?>("rooms/north", kind: .document)
  package static let motto = StorageKey<String?>("motto", kind: .document)
  package static let seats = StorageKey<[String: Int]?>("seats", kind: .archive)
  package static let cover = StorageKey<Data?>("covers/Emma", kind: .blob)
  package static let digest = StorageKey<[Int]?>("digest", kind: .cache)
  package static let opening = StorageKey<Date?>("opening", kind: .record)
  package static let desk = StorageKey<ReadingRoom?>("1", kind: .desk)
  package static let locker = StorageKey<Bool?>("1", kind: .locker)
  package static let counter = StorageKey<Double?>("1", kind: .counter)
  package static let complaint = StorageKey<String?>("1", kind: .complaint)
  package static let stamp = StorageKey<String?>("stamp", kind: .desk, as: .string)
  package static let binary = StorageKey<ReadingRoom?>("b", kind: .desk, as: .binaryPropertyList)

  /// Saves every value of the fixture, and inserts the rows of ``HallAuthor``.
  package static func save(to storage: Storage) throws {
    try storage.save("dark", for: theme)
    try storage.save(14, for: fontSize)
    try storage.save("hunter2", for: token)
    try storage.save(.north, for: room)
    try storage.save("Silence & <order>", for: motto)
    try storage.save(["A": 12, "B": -3], for: seats)
    try storage.save(Data([0xff, 0xd8, 0]), for: cover)
    try storage.save([3, 1, 2], for: digest)
    try storage.save(ReadingRoom.north.opened, for: opening)
    try storage.save(.north, for: desk)
    try storage.save(true, for: locker)
    try storage.save(0.1, for: counter)
    try storage.save("too loud", for: complaint)
    try storage.save("é", for: stamp)
    try storage.save(.north, for: binary)
    try storage.database(for: .record).write { db in try HallAuthor.fill(in: db) }
  }
}

/// A row of the SQLite database of the home that also contains the values of the kind `record`.
package struct HallAuthor: TableRecord, Equatable {
  package var id: Int64?
  package var name: String

  package static let table = Table(
    "author", HallAuthor.init, Column("id", \.id).primaryKey(), Column("name", \.name).unique())

  /// All rows of the fixture.
  package static let all = [HallAuthor(id: 7, name: "Jane Austen")]

  static func fill(in db: Connection) throws {
    _ = try table.insertAll(all, in: db)
  }
}
