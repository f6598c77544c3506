import CSQLite
import Synchronization
import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The table of names and values, and what is known of its presence.
final class EntryTable: Sendable {
  private let seats: Seats
  /// The generation of the file in which the table has been seen committed; it is never dropped by us.
  private let known = Atomic<Int>(-1)

  /// The name of the table.
  static let name = "undercroft_entry".exact

  init(in seats: Seats) { self.seats = seats }

  /// The number of the file at hand; for those who have a seat.
  var generation: Int { seats.generation.load(ordering: .relaxed) }

  private var isKnown: Bool { known.load(ordering: .relaxed) == generation }

  /// Remembers that the table is there, in the file of this number; unless that may yet be undone.
  func remember(_ generation: Int, in connection: borrowing Connection) {
    if !connection.isInTransaction { known.store(generation, ordering: .relaxed) }
  }

  /// Looks again the next time: somebody else may have removed the table.
  func forget() { known.store(-1, ordering: .relaxed) }

  /// "Undc" in ASCII: what the header of a keyed store says of its application.
  static let applicationID: Int64 = 0x556e_6463

  /// Whether the table is there; asked of the schema until it is.
  func exists(in connection: borrowing Connection) throws(StorageError) -> Bool {
    if isKnown { return true }
    guard try Self.isPresent(in: connection) else { return false }
    remember(generation, in: connection)
    return true
  }

  /// Whether the schema has the table, in the shape we give it.
  static func isPresent(in connection: borrowing Connection) throws(StorageError) -> Bool {
    let there = try connection.integer(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'undercroft_entry'")
    guard there != nil else { return false }
    let columns = try connection.integer(
      """
      SELECT count(*) FROM pragma_table_info('undercroft_entry')
      WHERE (name = 'name' AND pk = 1 AND type = 'TEXT') OR (name = 'value' AND type = 'BLOB')
      """)
    guard columns == 2 else {
      throw StorageError(
        .corrupted, "cannot use the table undercroft_entry: it has other columns than ours",
        cure: "rename the table, or keep this kind in a database of its own",
        backend: SQLiteBackend.name)
    }
    return true
  }

  /// Makes the table if it is missing; part of the transaction of the first write.
  func prepare(in connection: borrowing Connection) throws(StorageError) {
    if isKnown { return }
    if try Self.isPresent(in: connection) { return }
    // Names are sorted by the bytes that are kept, and those of UTF-16 sort otherwise.
    let isUTF8 = try connection.integer(
      "SELECT count(*) FROM pragma_encoding WHERE encoding = 'UTF-8'")
    guard isUTF8 == 1 else {
      throw StorageError(
        .notSupported, "cannot keep names and values here: the database keeps text as UTF-16",
        cure: "keep this kind in a database of its own", backend: SQLiteBackend.name)
    }
    try connection.runReported(
      """
      CREATE TABLE undercroft_entry(
        name TEXT PRIMARY KEY NOT NULL,
        value BLOB NOT NULL
      ) WITHOUT ROWID
      """)
    // An application that has put its own number there keeps it.
    if try connection.integer("PRAGMA application_id") == 0 {
      try connection.run("PRAGMA application_id = \(Self.applicationID)")
    }
  }

  // MARK: Entries

  static func value(
    of key: String, in connection: borrowing Connection
  ) throws(StorageError) -> Data? {
    try connection.withStatement("SELECT value FROM undercroft_entry WHERE name = ?") {
      (statement) throws(StorageError) in
      try statement.bind(key, at: 1)
      return try statement.step() ? try Row(statement: statement.raw)[0] : nil
    }
  }

  static func apply(
    _ change: Change, in connection: borrowing Connection
  ) throws(StorageError) {
    switch change {
    case .set(let name, let bytes):
      try connection.runReported("REPLACE INTO undercroft_entry(name, value) VALUES (?, ?)") {
        (statement) throws(StorageError) in
        try statement.bind(name, at: 1)
        try statement.bind(bytes, at: 2)
      }
    case .remove(let name):
      try connection.runReported("DELETE FROM undercroft_entry WHERE name = ?") {
        (statement) throws(StorageError) in
        try statement.bind(name, at: 1)
      }
    }
  }

  /// Returns the names that begin with `prefix`, by their bytes.
  static func names(
    _ prefix: String, in connection: borrowing Connection
  ) throws(StorageError) -> [String] {
    try entries(prefix, in: connection).map(\.name)
  }

  /// Returns the names that begin with `prefix`, by their bytes, and the sizes of their values.
  static func entries(
    _ prefix: String, in connection: borrowing Connection
  ) throws(StorageError) -> [InspectionEntry] {
    try connection.withStatement(
      """
      SELECT name, length(value) FROM undercroft_entry
      WHERE name >= ?1 AND name < ?2 ORDER BY name
      """
    ) { (statement) throws(StorageError) in
      try statement.bind(prefix, at: 1)
      // No byte of UTF-8 is 255, so this is behind all that begin with the prefix and before what follows them.
      try statement.bind(text: Array(prefix.utf8) + [0xff], at: 2)
      var entries: [InspectionEntry] = []
      while try statement.step() {
        let row = Row(statement: statement.raw)
        entries.append(InspectionEntry(name: try row[0], byteCount: try row[1]))
      }
      return entries
    }
  }
}
