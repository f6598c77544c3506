import UndercroftFileSystem

/// The cleanup after a signal that ends the crash test.
enum Interruption {
  /// Removes all scratch folders if a signal ends the process. (`SIGTERM`, `SIGINT`, `SIGHUP`)
  ///
  /// The signals are blocked, and a thread waits for them with `sigwait`,
  /// because removing folders is not async-signal-safe. In the processes
  /// that the crash test starts, no signal is blocked: see ``ChildProcess``.
  static func removeScratchFolders() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(&thread, nil, { _ in Interruption.wait() }, nil)
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
    return set
  }

  private static func wait() -> UnsafeMutableRawPointer? {
    var signals = Self.signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    ScratchFolder.removeAll()
    _exit(128 + number)
  }

  /// Requests that the system ends this process when the parent process ends. (`prctl`)
  ///
  /// A parent process that is killed cannot end the processes that it started.
  static func endWithParent() {
    #if os(Linux)
      typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
      guard let address = dlsym(nil, "prctl") else { return }
      let setParentDeathSignal: Int32 = 1
      _ = unsafeBitCast(address, to: Control.self)(
        setParentDeathSignal, UInt(SIGTERM), 0, 0, 0)
    #endif
  }
}
