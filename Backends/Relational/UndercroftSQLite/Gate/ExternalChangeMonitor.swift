import CSQLite
import Dispatch
import Synchronization
import UndercroftCore

/// A watch for external changes, which calls a handler until it is released.
///
/// It reports commits of other processes and connections, and that the files may have been
/// replaced. A file-system event in a folder of the database means that a file may have been
/// written. Comparing ``DataVersion`` shows whether another connection committed.
///
/// A commit of another process takes this path: `FolderWatch` (inotify), `FolderWatches`,
/// `DataVersionPoller` (`PRAGMA data_version`), `RowGate.publishExternalChange`, observers. For the
/// values of a `Storage` the last step is `Gate` in the core.
final class ExternalChangeMonitor: ExternalWatch {
  /// The handlers of file-system events in the folders, and of a renewal of the folder watches.
  struct Handlers: Sendable {
    /// Called after a file-system event in one of the folders.
    let onFileEvent: @Sendable () -> Void
    /// Called when the folders are watched again, because the files may have been replaced.
    let onReset: @Sendable () -> Void
  }

  private let registration: Registration

  init(
    of database: Database, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let look = DataVersionPoller(handler) { [weak database] in
      try? database?.pool.withConnection(.readOnWriter) {
        (connection) throws(StorageError) in
        database?.dataVersion(of: connection)
      }
    }
    let settle: @Sendable () -> Void = { [weak database] in
      guard let database else { return }
      let version = database.baselineVersion()
      look.settle(version, in: database.pool.generation.load(ordering: .relaxed))
    }
    settle()
    registration = try database.folders.add(
      Handlers(onFileEvent: look.begin) {
        settle()
        handler()
        look.lookLater()
      })
    // A reset before the folders had these handlers was reported to other handlers.
    look.renew(in: database.pool.generation.load(ordering: .relaxed))
    // A commit in progress may have caused all its events already, although it is not visible yet.
    look.lookLater()
  }
}

/// A version that changes when another connection commits or when the files are replaced.
struct DataVersion: Equatable {
  /// The generation counter of the connection pool.
  ///
  /// Counts of commits are comparable only within one generation, because each connection starts
  /// its own count.
  var generation: Int
  var commits: Int64

  /// The version as a number, which is the same for equal versions.
  var number: UInt64 {
    UInt64(truncatingIfNeeded: generation) << 32 | UInt64(UInt32(truncatingIfNeeded: commits))
  }
}

extension Database {
  /// The longest wait for the writer if no version was read before.
  private static let firstReadTimeout = Duration.milliseconds(250)

  /// Returns the current version, or the version that was last read if another thread holds the
  /// writer.
  ///
  /// With an older version, no later commit of another connection is missed. If no version was read
  /// before, waits for the writer for a short time. Without that wait, two observers that begin at
  /// the same time would prevent each other from reading the version. If the writer stays in use,
  /// returns `nil`, and the first comparison reports a change even if there was none.
  func baselineVersion() -> DataVersion? {
    let version: DataVersion?
    if pool.isWritingOnCurrentThread {
      version = try? pool.withConnection(.readOnWriter) {
        (connection) throws(StorageError) in
        dataVersion(of: connection)
      }
    } else {
      let wasRead = lastDataVersion.withLock { $0 != nil }
      let timeout = wasRead ? .zero : Self.firstReadTimeout
      version = pool.tryWithWriter(waitingFor: timeout) { dataVersion(of: $0) } ?? nil
    }
    return version ?? lastDataVersion.withLock { $0 }?.version
  }

  /// Reads the version from the writer.
  func dataVersion(of connection: Connection) -> DataVersion? {
    let now = ContinuousClock.now
    guard let commits = connection.externalVersion else { return nil }
    // Each connection starts its own count, so the count of openings is added in the upper bits.
    let opened = Int64(truncatingIfNeeded: pool.writerOpenCount) << 24
    let version = DataVersion(
      generation: pool.generation.load(ordering: .relaxed), commits: commits &+ opened)
    lastDataVersion.withLock { $0 = (version, readAt: now) }
    return version
  }
}

extension Connection {
  /// The number that grows when another connection commits to any of the databases; meaningful on
  /// the writer only. (`PRAGMA data_version`)
  var externalVersion: Int64? {
    guard let raw = stateIfValid?.raw else { return nil }
    let numbers = Statement.numbers("data_version", on: raw)
    if numbers.isEmpty || numbers.contains(nil) { return nil }
    return numbers.reduce(0) { $0 &+ ($1 ?? 0) }
  }
}

/// A poller that finds out whether a file-system event was a commit of another connection.
///
/// A commit becomes visible only after it was written to the log, so a poll that comes too early is
/// repeated later. No event follows when the commit becomes visible: its last step writes to shared
/// memory, which causes none.
private final class DataVersionPoller: Sendable {
  private struct State {
    var generation = 0
    var version: DataVersion?
    /// The number of the last event.
    ///
    /// An event replaces the polls that were planned for earlier events.
    var stir = 0
  }

  // The last pauses are for a busy disk, which may need more than a minute to flush the log.
  private static let pauses: [DispatchTimeInterval] = [
    .microseconds(200), .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(300),
    .milliseconds(700), .seconds(4), .seconds(4), .seconds(8), .seconds(16), .seconds(32),
    .seconds(64),
  ]

  private let state = Mutex(State())
  private let handler: @Sendable () -> Void
  private let current: @Sendable () -> DataVersion?
  private let queue = DispatchQueue(label: "undercroft.sqlite-watch")

  init(_ handler: @escaping @Sendable () -> Void, _ current: @escaping @Sendable () -> DataVersion?)
  {
    self.handler = handler
    self.current = current
  }

  /// Sets the version with which later polls are compared, unless a version of a later generation
  /// is set.
  func settle(_ version: DataVersion?, in generation: Int) {
    state.withLock { state in
      // Later polls ignore versions of any other generation.
      if generation < state.generation { return }
      state.generation = generation
      state.version = version
    }
  }

  /// Makes the next poll report a change if `generation` is later than that of the stored version.
  func renew(in generation: Int) {
    state.withLock { state in
      if generation <= state.generation { return }
      state.generation = generation
      state.version = nil
    }
  }

  /// Polls now and several times later.
  @Sendable func begin() {
    let stir = nextStir()
    look()
    repeatLater(Self.pauses[...], for: stir)
  }

  /// Polls several times later, but not now, because that may wait for a writer.
  func lookLater() { repeatLater(Self.pauses[...], for: nextStir()) }

  private func nextStir() -> Int {
    state.withLock { state in
      state.stir += 1
      return state.stir
    }
  }

  private func repeatLater(_ pauses: ArraySlice<DispatchTimeInterval>, for stir: Int) {
    guard let pause = pauses.first else { return }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, self.state.withLock({ $0.stir == stir }) else { return }
      self.look()
      self.repeatLater(pauses.dropFirst(), for: stir)
    }
  }

  private func look() {
    guard let version = current() else { return }
    let isNew = state.withLock { state in
      // The thread that replaced the files is about to call `settle` and to notify the observers.
      if version.generation != state.generation { return false }
      defer { state.version = version }
      return state.version != version
    }
    if isNew { handler() }
  }
}
