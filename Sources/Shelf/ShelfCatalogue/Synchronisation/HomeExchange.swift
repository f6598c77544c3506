/// The numbers of changes, rows and conflicts of one home, the directory of a catalogue, after a
/// synchronisation.
public struct HomeExchange: Sendable, Equatable {
  /// The number of changes that the server has received from the home.
  public internal(set) var sent = 0
  /// The number of rows that the home has received.
  public internal(set) var received = 0
  /// The number of open conflicts of the home.
  public internal(set) var conflicts = 0
}
