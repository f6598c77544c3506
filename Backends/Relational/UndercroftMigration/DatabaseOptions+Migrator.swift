public import UndercroftSQLite

extension DatabaseOptions {
  /// The migrator that migrates the database to the newest version each time the database is
  /// opened, or `nil` if the database is not migrated.
  ///
  /// A migrator owns the schema (``SchemaOwner/migrations``): tables declared in Swift verify the
  /// schema and change no column. So setting a migrator also sets ``DatabaseOptions/schemaOwner``
  /// to `.migrations`, and removing it sets `.tables`.
  ///
  /// ```swift
  /// var options = DatabaseOptions()
  /// options.migrator = migrator
  /// let database = try Database(at: url, options)
  /// ```
  public var migrator: Migrator? {
    get { preparer as? Migrator }
    set {
      preparer = newValue
      schemaOwner = newValue == nil ? .tables : .migrations
    }
  }

  /// Creates options with a ``migrator`` and the default values of all other options.
  ///
  /// ```swift
  /// let database = try Database(at: url, DatabaseOptions(migrator: migrator))
  /// try storage.use(.sqlite(at: url, DatabaseOptions(migrator: migrator)), for: .record)
  /// ```
  public init(migrator: Migrator) {
    self.init()
    self.migrator = migrator
  }
}

extension Migrator: DatabasePreparer {
  /// Throws if no steps lead from the version of the file to the newest version.
  package func inspect(_ db: Connection) throws {
    let state = try state(of: db)
    if !state.isNew { _ = try path(from: state, to: nil) }
  }

  package func prepare(_ database: Database) throws -> DatabaseAccess {
    if case .readOnly = try migrate(database) { return .readOnly }
    return .readWrite
  }
}
