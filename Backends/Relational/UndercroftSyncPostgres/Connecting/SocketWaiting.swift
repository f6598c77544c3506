#if SyncPostgres
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The events of a socket that a wait ends with.
  struct SocketEvents: OptionSet, Sendable {
    let rawValue: Int16

    static let readable = SocketEvents(rawValue: Int16(POLLIN))
    static let writable = SocketEvents(rawValue: Int16(POLLOUT))
  }

  /// Waits until a socket has one of the given events or has failed, and returns its events, which
  /// are empty if the deadline has passed. (`poll`)
  func waitForSocket(
    _ socket: Int32, _ events: SocketEvents, until deadline: ContinuousClock.Instant
  ) -> SocketEvents {
    // libpq has closed the socket, and reports this in the next call.
    guard socket >= 0 else { return events }
    while true {
      let remaining = deadline - ContinuousClock.now
      guard remaining > .zero else { return [] }
      var entry = pollfd(fd: socket, events: events.rawValue, revents: 0)
      let count = poll(&entry, 1, Int32(min(remaining.timeoutMilliseconds, 60_000)))
      // An error of the socket is reported by the next call of libpq, which reads it.
      if count > 0 {
        let occurred = SocketEvents(rawValue: entry.revents)
        return occurred.isSubset(of: events) ? occurred : events
      }
      if count < 0, errno != EINTR { return events }
    }
  }

  /// Blocks the calling thread.
  func pauseThread(for duration: Duration) {
    _ = poll(nil, 0, Int32(min(duration.timeoutMilliseconds, 60_000)))
  }
#endif
