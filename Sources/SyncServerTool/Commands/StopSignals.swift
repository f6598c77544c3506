#if SyncServer
  import UnixSignals

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The signals that stop a server gracefully.
  enum StopSignals {
    /// Returns the signals, without a SIGHUP that the parent process ignores, as `nohup` does.
    static func current() -> [UnixSignal] {
      [.sigterm, .sigint] + (ignoresHangUp() ? [] : [.sighup])
    }

    private static func ignoresHangUp() -> Bool {
      var action = sigaction()
      sigaction(SIGHUP, nil, &action)
      #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
      #else
        let handler = action.__sigaction_handler.sa_handler
      #endif
      return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
  }
#endif
