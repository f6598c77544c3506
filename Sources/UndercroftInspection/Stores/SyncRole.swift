/// The part that a database has in the synchronisation of a scope.
public enum SyncRole: String, Sendable, Equatable {
  /// The database belongs to a device.
  case device = "device"
  /// The database belongs to a server.
  case server = "server"
}
