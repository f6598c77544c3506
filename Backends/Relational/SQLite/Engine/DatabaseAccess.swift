/// What a database may be used for once it was prepared.
public enum DatabaseAccess: Sendable, Hashable {
  /// Reading and writing, as far as the options and the file allow it.
  case readWrite
  /// Reading alone.
  case readOnly
}
