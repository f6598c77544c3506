public import UndercroftSQLite

extension Database.Origin {
  /// The origin that observers receive for the changes that synchronisation makes.
  public static let sync = Database.Origin("sync")
}
