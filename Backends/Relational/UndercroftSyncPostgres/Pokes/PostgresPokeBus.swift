#if SyncPostgres
  import UndercroftCore
  public import UndercroftSync

  /// A connection between the processes of a server that use one PostgreSQL database.
  ///
  /// A process sends its pokes together, every 30 milliseconds, with one `NOTIFY` on a connection
  /// of its own, and receives those of the others on a second connection with `LISTEN`. If the
  /// database does not support `LISTEN`, the process polls the scopes that have changed. A lost
  /// connection is opened again, and delays pokes, but no rows are lost.
  ///
  /// ```swift
  /// let store = try PostgresSyncStore("host=/run/postgresql dbname=library")
  /// let server = SyncServer(store: store) { account, scope in .readWrite }
  /// server.connect(to: PostgresPokeBus("host=/run/postgresql dbname=library"))
  /// ```
  public final class PostgresPokeBus: PokeBus {
    private let notifier: PokeNotifier?
    private let receiver: PokeReceiver

    /// Creates a bus, which connects when it is started.
    ///
    /// - Parameters:
    ///   - connection: the connection string of the store, but never that of a connection pooler in
    ///     transaction mode, unless `settings` select polling.
    ///   - options: the timeouts.
    ///   - settings: the transport and its intervals.
    public init(
      _ connection: String, options: PostgresSyncOptions = PostgresSyncOptions(),
      settings: PostgresPokeOptions = PostgresPokeOptions()
    ) {
      let sender = String(UInt64.random(in: .min ... .max), radix: 36)
      receiver = PokeReceiver(connection, options, settings, sender: sender)
      notifier =
        settings.transport == .polling
        ? nil
        : PokeNotifier(
          connection, options, interval: settings.coalescingInterval, sender: sender)
    }

    deinit { close() }

    public func publish(_ poke: SyncPoke) { notifier?.add(poke) }

    /// Begins to pass the pokes of other processes to a closure, which returns at once.
    ///
    /// Call this function once. A `SyncServer` calls it when it is connected to the bus.
    public func start(_ receive: @escaping @Sendable (PokeBusEvent) -> Void) {
      receiver.start(receive)
    }

    /// Closes both connections within some seconds, and drops the pokes that were not sent.
    public func close() {
      notifier?.stop()
      receiver.stop()
    }
  }
#endif
