/// The access that ``DatabaseOptions/prepare`` allows to a database.
public enum DatabaseAccess: Sendable, Hashable {
  /// Reading and writing, if the options and the permissions of the file allow it.
  case readWrite
  /// Reading only.
  case readOnly
}
