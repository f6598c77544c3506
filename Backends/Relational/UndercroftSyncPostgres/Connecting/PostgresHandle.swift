#if SyncPostgres
  import CPostgres

  /// An open connection of libpq, closed exactly once.
  ///
  /// The handle is `Sendable` although libpq acquires no locks for a connection: a connection can
  /// move between threads if only one thread at a time uses it. ``PostgresPool`` and the queues of
  /// ``PostgresPokeBus`` ensure this.
  struct PostgresHandle: ~Copyable, @unchecked Sendable {
    let raw: OpaquePointer

    init(owning raw: OpaquePointer) { self.raw = raw }

    deinit { PQfinish(raw) }
  }
#endif
