#if SyncPostgres
  /// The settings of a ``PostgresPokeBus``.
  public struct PostgresPokeOptions: Sendable, Hashable {
    /// The way in which a process learns of the changes of the others.
    public enum Transport: Sendable, Hashable {
      /// `LISTEN` and `NOTIFY`, or polling if the database supports neither.
      case automatic
      /// Polling, also if the database supports `LISTEN`.
      ///
      /// Select this for a connection pooler in transaction mode, which accepts `LISTEN` and then
      /// delivers no notifications.
      case polling
    }

    /// The way in which a process learns of the changes of the others.
    public var transport: Transport
    /// The time for which pokes are collected before they are sent together.
    public var coalescingInterval: Duration
    /// The time between two polls.
    public var pollingInterval: Duration

    /// Creates the default settings: notifications every 30 milliseconds, or polls every 500
    /// milliseconds.
    public init(
      transport: Transport = .automatic, coalescingInterval: Duration = .milliseconds(30),
      pollingInterval: Duration = .milliseconds(500)
    ) {
      self.transport = transport
      self.coalescingInterval = coalescingInterval
      self.pollingInterval = pollingInterval
    }
  }
#endif
