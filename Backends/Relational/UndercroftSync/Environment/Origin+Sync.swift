public import UndercroftSQLite

extension Database.Origin {
  /// The origin of the changes that synchronisation makes, which observers receive.
  public static let sync = Database.Origin("sync")
}
