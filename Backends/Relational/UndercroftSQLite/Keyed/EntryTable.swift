import CSQLite
import Synchronization
import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

/// The key-value table, and a record of whether the table exists.
final class EntryTable: Sendable {
  private let pool: ConnectionPool
  /// The generation of the file in which the key-value table was last found, or -1 if it is not
  /// known whether the table exists.
  ///
  /// A table that is found inside a transaction is not recorded, because the transaction could be
  /// rolled back. This library never drops the table. If another program may have dropped the
  /// table, ``forget()`` discards the record.
  private let known = Atomic<Int>(-1)

  /// The name of the key-value table in the schema.
  static let name = "undercroft_entry".exact

  init(in pool: ConnectionPool) { self.pool = pool }

  /// The generation of the open file: a counter that changes whenever the file may have been
  /// replaced.
  ///
  /// Only a thread that holds a connection may read this property.
  var generation: Int { pool.generation.load(ordering: .relaxed) }

  private var isKnown: Bool { known.load(ordering: .relaxed) == generation }

  /// Records that the key-value table exists in the file with the given generation.
  ///
  /// Records nothing inside a transaction, because the transaction could be rolled back.
  func remember(_ generation: Int, in connection: Connection) {
    if !connection.isInTransaction { known.store(generation, ordering: .relaxed) }
  }

  /// Discards the record that the key-value table exists, because another program may have dropped
  /// the table.
  ///
  /// The next call of ``exists(in:)`` or ``prepare(in:)`` then queries the schema.
  func forget() { known.store(-1, ordering: .relaxed) }

  /// The application ID in the header of a keyed store: "Undc" in ASCII.
  static let applicationID: Int64 = 0x556e_6463

  /// Returns whether the key-value table exists.
  ///
  /// Queries the schema only if no earlier call has recorded that the table exists.
  func exists(in connection: Connection) throws(StorageError) -> Bool {
    if isKnown { return true }
    guard try Self.isPresent(in: connection) else { return false }
    remember(generation, in: connection)
    return true
  }

  /// Returns whether the schema contains the key-value table.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if a table of this name has other columns.
  static func isPresent(in connection: Connection) throws(StorageError) -> Bool {
    let row = try connection.integer(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'undercroft_entry'")
    guard row != nil else { return false }
    let columns = try connection.integer(
      """
      SELECT count(*) FROM pragma_table_info('undercroft_entry')
      WHERE (name = 'name' AND pk = 1 AND type = 'TEXT') OR (name = 'value' AND type = 'BLOB')
      """)
    guard columns == 2 else {
      let file = DatabaseFile.name(of: try connection.state.raw)
      throw StorageError(
        .corrupted,
        """
        cannot use the table "undercroft_entry" in \(file) for key-value data: the table does not \
        have the two required columns "name" (TEXT, primary key) and "value" (BLOB)
        """,
        suggestion: """
          rename the table "undercroft_entry", or store the key-value data in a separate database
          """,
        backend: SQLiteBackend.name)
    }
    return true
  }

  /// Creates the key-value table if it is missing, within the transaction of the first write.
  ///
  /// If the table is created and the application ID of the database is 0, also sets the application
  /// ID to ``applicationID``.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the table is missing and the text encoding of
  ///   the database is UTF-16.
  func prepare(in connection: Connection) throws(StorageError) {
    if isKnown { return }
    if try Self.isPresent(in: connection) { return }
    // Names are sorted by their stored bytes, and UTF-16 would sort them in another order.
    let isUTF8 = try connection.integer(
      "SELECT count(*) FROM pragma_encoding WHERE encoding = 'UTF-8'")
    guard isUTF8 == 1 else {
      let file = DatabaseFile.name(of: try connection.state.raw)
      throw StorageError(
        .notSupported,
        """
        cannot store key-value data in \(file): the text encoding of this database is UTF-16, but \
        key-value data requires UTF-8
        """,
        suggestion: "store the key-value data in a separate database", backend: SQLiteBackend.name)
    }
    try connection.runReported(
      """
      CREATE TABLE undercroft_entry(
        name TEXT PRIMARY KEY NOT NULL,
        value BLOB NOT NULL
      ) WITHOUT ROWID
      """)
    // An application ID that the application has already set is preserved.
    if try connection.integer("PRAGMA application_id") == 0 {
      try connection.run("PRAGMA application_id = \(Self.applicationID)")
    }
  }

  // MARK: Entries

  static func value(
    of key: String, in connection: Connection
  ) throws(StorageError) -> Data? {
    try connection.withStatement("SELECT value FROM undercroft_entry WHERE name = ?") {
      (statement) throws(StorageError) in
      try statement.bind(key, at: 1)
      return try statement.step() ? try Row(statement: statement.raw)[0] : nil
    }
  }

  static func apply(
    _ change: StorageChange, in connection: Connection
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

  /// Returns the names in the key-value table that begin with `prefix`, sorted by their bytes.
  static func names(
    _ prefix: String, in connection: Connection
  ) throws(StorageError) -> [String] {
    try entries(prefix, in: connection).map(\.name)
  }

  /// Returns the names in the key-value table that begin with `prefix`, sorted by their bytes, and
  /// the sizes of their values.
  static func entries(
    _ prefix: String, in connection: Connection
  ) throws(StorageError) -> [InspectionEntry] {
    try connection.withStatement(
      """
      SELECT name, length(value) FROM undercroft_entry
      WHERE name >= ?1 AND name < ?2 ORDER BY name
      """
    ) { (statement) throws(StorageError) in
      try bind(prefix, to: statement)
      var entries: [InspectionEntry] = []
      while try statement.step() {
        let row = Row(statement: statement.raw)
        entries.append(InspectionEntry(name: try row[0], byteCount: try row[1]))
      }
      return entries
    }
  }

  /// Binds the range of names that begin with `prefix` to the parameters `?1` and `?2`.
  ///
  /// UTF-8 has no byte 255, so the second text sorts after all names with the prefix and before all
  /// later names.
  static func bind(_ prefix: String, to statement: borrowing Statement) throws(StorageError) {
    try statement.bind(prefix, at: 1)
    try statement.bind(text: Array(prefix.utf8) + [0xff], at: 2)
  }
}
