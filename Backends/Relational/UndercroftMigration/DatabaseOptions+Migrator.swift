public import UndercroftSQLite

extension DatabaseOptions {
  /// Returns these options with a migrator that migrates the database to its
  /// newest version whenever it is opened.
  ///
  /// The migrator owns the schema from then on (``SchemaOwner/migrations``): declared tables verify
  /// it and change no column. The present ``UndercroftSQLite/DatabaseOptions/prepare`` runs after
  /// the migration. It is skipped if the migration leaves the file open for reading only.
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
  /// Throws if no steps lead from the version of the file to the newest one.
  ///
  /// Runs before the opening changes the journal mode, so that a refused file remains unchanged.
  fileprivate func requireWay(in db: Connection) throws {
    try validate()
    let state = try state(of: db)
    if !state.isNew { _ = try path(from: state, to: nil) }
  }
}
