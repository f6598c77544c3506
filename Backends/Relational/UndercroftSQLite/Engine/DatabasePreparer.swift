/// A component that prepares a database whenever the database is opened, such as a migrator.
///
/// ``DatabaseOptions/preparer`` stores the component. The closure ``DatabaseOptions/prepare`` has
/// the same purpose for applications, and runs after the preparer.
package protocol DatabasePreparer: Sendable {
  /// Throws if the preparer cannot prepare the database.
  ///
  /// This function runs before the journal of a file is switched to a write-ahead log, so that a
  /// rejected file remains unchanged. The function also runs before ``DatabaseOptions/setUp``, so
  /// functions of the application may be missing. The function does not run for a file that already
  /// has a write-ahead log, for a file that is opened for reading only, or for an in-memory
  /// database.
  func inspect(_ db: Connection) throws

  /// Prepares the database, and returns the access with which the file is opened afterwards.
  ///
  /// For a file, `database` is a temporary instance, which is closed afterwards.
  func prepare(_ database: Database) throws -> DatabaseAccess
}

/// The access that ``DatabaseOptions/prepare`` allows to a database.
public enum DatabaseAccess: Sendable, Hashable {
  /// Reading and writing, if the options and the permissions of the file allow it.
  case readWrite
  /// Reading only.
  case readOnly
}
