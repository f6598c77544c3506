public import UndercroftSQLite

/// The directions in which the changes of a scope travel.
public enum SyncDirection: String, Sendable, Hashable, SQLBindable, SQLReadable {
  /// Changes are sent and received.
  case twoWay = "twoWay"
  /// Changes are only sent.
  case oneWay = "oneWay"
}
