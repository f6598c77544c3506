import UndercroftCore
package import UndercroftSQLite

/// The tables, indexes, views and triggers of synchronisation in a database of the application.
package enum SyncSchema {
  /// The number of the format of the tables, which `sync_clock.format` stores.
  package static let format = 2

  /// Creates the tables of synchronisation that do not depend on tables of the application.
  ///
  /// If the tables exist, this function only verifies their format, and converts an earlier one.
  /// Call ``refresh(in:expressions:)`` afterwards in the same transaction, because the triggers
  /// depend on the format.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the tables have another format, such as that
  ///   of a newer version of this library.
  package static func create(in db: Connection) throws {
    if try exists(in: db) {
      try upgrade(in: db)
      return try verify(in: db)
    }
    try db.executeScript(SQL(unchecked: stateTables))
    try db.executeScript(SQL(unchecked: recordTable))
    try db.executeScript(SQL(unchecked: queueTables))
    try db.executeScript(SQL(unchecked: unknownColumnTable))
    try db.executeScript(SQL(unchecked: pullTables))
    try db.execute("INSERT INTO sync_clock(one, format) VALUES (1, \(format))")
  }

  /// Returns whether the database contains the tables of synchronisation.
  package static func exists(in db: Connection) throws -> Bool {
    try db.tableExists("sync_clock")
  }

  /// Throws if the tables of synchronisation have another format than ``format``.
  ///
  /// Every transaction verifies the format, because another process can have changed it since the
  /// database was opened.
  ///
  /// - Parameter acceptsEarlier: whether the tables may have an earlier format.
  static func verify(in db: Connection, acceptsEarlier: Bool = false) throws {
    let found = try storedFormat(in: db)
    guard found == format || (acceptsEarlier && found < format) else {
      throw StorageError(
        .notSupported,
        """
        cannot use the synchronisation tables of the database: the tables have the format \
        \(found), according to the table "sync_clock", but this version of the library supports \
        only \(acceptsEarlier ? "the formats up to" : "the format") \(format)
        """,
        suggestion: found < format
          ? "create the SyncEngine again, which converts the tables"
          : """
          use a version of the library that supports the format \(found), such as the version that \
          wrote this format
          """,
        backend: "sync")
    }
  }

  /// Returns the format of the tables of synchronisation, or throws if the database has none.
  private static func storedFormat(in db: Connection) throws -> Int64 {
    do { return try db.fetchValue("SELECT format FROM sync_clock") } catch {
      guard try !exists(in: db) else { throw error }
      throw StorageError(
        .misuse,
        "cannot use the SyncEngine: synchronisation is switched off for the database",
        suggestion: "create a new SyncEngine, which switches synchronisation on again",
        backend: "sync")
    }
  }
}
