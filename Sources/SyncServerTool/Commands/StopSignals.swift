#if SyncServer
  import UndercroftFileSystem
  import UnixSignals

  /// The signals that stop a server gracefully.
  enum StopSignals {
    /// Returns the signals, without a SIGHUP that the parent process ignores, as `nohup` does.
    static func current() -> [UnixSignal] {
      [.sigterm, .sigint] + (Platform.isIgnored(signal: SIGHUP) ? [] : [.sighup])
    }
  }
#endif
