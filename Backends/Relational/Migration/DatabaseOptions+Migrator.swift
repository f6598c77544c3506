public import UndercroftSQLite

extension DatabaseOptions {
  /// The same with a migrator that brings the database to its newest version whenever it is opened.
  ///
  /// The schema is the migrator's from then on (``SchemaOwner/migrations``): declared tables verify it, and change no column. What
  /// ``UndercroftSQLite/DatabaseOptions/prepare`` was before comes after the migration, unless that has left the file to be read alone.
  ///
  /// ```swift
  /// let database = try Database(at: url, .init().migrated(by: migrator))
  /// try storage.use(.sqlite(at: url, .init().migrated(by: migrator)), for: .record)
  /// ```
  public func migrated(by migrator: Migrator) -> DatabaseOptions {
    var options = self
    options.schemaOwner = .migrations
    options.inspect = { db in try migrator.requireWay(in: db) }
    options.prepare = { [prepare] database in
      if case .readOnly = try migrator.migrate(database) { return .readOnly }
      return try prepare?(database) ?? .readWrite
    }
    return options
  }
}

extension Migrator {
  /// Refuses a file that there is no way for, before the opening changes its journal.
  fileprivate func requireWay(in db: borrowing Connection) throws {
    try requireSense()
    let state = try state(of: db)
    if !state.isNew { _ = try course(from: state, to: nil) }
  }
}
