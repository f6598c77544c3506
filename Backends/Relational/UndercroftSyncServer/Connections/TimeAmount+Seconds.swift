#if SyncServer
  import NIOCore

  extension TimeAmount {
    /// Creates an amount of time from a number of seconds, at most a billion.
    init(seconds: Double) { self = .nanoseconds(Int64(seconds * 1e9)) }
  }
#endif
