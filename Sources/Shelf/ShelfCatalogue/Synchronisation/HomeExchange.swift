/// The result of a synchronisation for one home.
///
/// A home is the directory of a catalogue.
public struct HomeExchange: Sendable, Equatable {
  /// The number of changes that the server has received from the home during the synchronisation.
  public internal(set) var sent = 0
  /// The number of rows that the home has received during the synchronisation.
  public internal(set) var received = 0
  /// The number of open conflicts of the home after the synchronisation.
  public internal(set) var conflicts = 0
}
