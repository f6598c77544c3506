import CSQLite
import Dispatch
import Synchronization
import UndercroftCore

/// The background checkpointer, which moves commits from the write-ahead log (WAL) into the file.
///
/// The checkpointer uses a separate thread and connection, so that no commit has to perform a
/// checkpoint. Most of the work is done while other connections read and write. A log can restart
/// only when all its frames have been moved into the file and no connection reads from the log. If
/// the log is long, the checkpointer therefore excludes writers until the checkpoint is complete.
/// The longer the log is, the longer the checkpointer waits for readers.
final class Checkpointer: Sendable {
  /// The minimum number of pages in the log for which a checkpoint is planned: SQLite's default.
  static let threshold = 1_000

  private let queue = DispatchQueue(label: "undercroft.sqlite-checkpoint", qos: .utility)
  private let pooled: PooledConnection
  private let writers: EventuallyFairLock
  private let isPlanned = Atomic<Bool>(false)
  private let isStopped = Atomic<Bool>(false)
  /// The longest time in milliseconds for which writers are excluded: a quarter of their lock
  /// timeout.
  private let maximumPatience: Int32
  private let pauses = Mutex<[ExactString: Pause]>([:])

  /// A period in which the checkpointer does not exclude writers, because readers did not end in
  /// time during the previous exclusion.
  ///
  /// The period lasts until `end`, so that the readers have time to end, or until the log has
  /// `pages` pages.
  private struct Pause {
    let pages: Int
    let end: ContinuousClock.Instant
  }

  /// Creates a checkpointer, which opens its connection at the first checkpoint.
  ///
  /// - Parameters:
  ///   - writers: the lock that every writer of this database holds.
  ///   - lockTimeout: the longest time that a writer waits for this lock.
  ///   - path: the path of the file, for error messages.
  init(
    writers: EventuallyFairLock, lockTimeout: Duration, path: String,
    _ open: @escaping @Sendable () throws(StorageError) -> SQLiteHandle
  ) {
    self.writers = writers
    maximumPatience = Int32(clamping: lockTimeout.nanoseconds / 4_000_000)
    pooled = PooledConnection(path) { (_) throws(StorageError) in try open() }
  }

  /// Installs a hook that plans a checkpoint after each commit of the connection of `handle`.
  /// (`sqlite3_wal_hook`)
  ///
  /// The hook does nothing if the log has fewer than ``threshold`` pages.
  ///
  /// The connection must not outlive the checkpointer.
  func installHook(on handle: borrowing SQLiteHandle) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle.raw,
      { context, _, _, pages in
        if let context, pages >= Checkpointer.threshold {
          Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().plan()
        }
        return SQLITE_OK
      }, context)
  }

  /// Plans a checkpoint, unless a checkpoint is already planned or the checkpointer is stopped.
  private func plan() {
    if isStopped.load(ordering: .relaxed) { return }
    if isPlanned.exchange(true, ordering: .acquiringAndReleasing) { return }
    queue.async { [weak self] in self?.run() }
  }

  /// Waits until the running checkpoint ends, closes the connection of the checkpointer, and
  /// prevents further checkpoints until ``resume()`` is called.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync { pooled.close() }
  }

  func resume() { isStopped.store(false, ordering: .relaxed) }

  // MARK: On the queue

  private func run() {
    isPlanned.store(false, ordering: .releasing)
    if isStopped.load(ordering: .relaxed) { return }
    guard let databases = try? connection().databases() else { return }
    // Each attached database has a separate log.
    for database in databases where database.location != nil && !isStopped.load(ordering: .relaxed)
    {
      move(database.name)
    }
  }

  /// Moves the log of one database into its file, first while other connections write and then, if
  /// the log is long, while writers are excluded.
  private func move(_ name: String) {
    guard mayBegin(name) else { return }
    // An error can be ignored: the error occurs again at a commit, or its cause has gone by then.
    guard let pages = try? checkpoint(name, SQLITE_CHECKPOINT_PASSIVE, patience: 0) else { return }
    if pages < 2 * Self.threshold || isPaused(name, pages) { return }
    guard lockUnlessStopped() else { return }
    defer { writers.unlock() }
    let patience = min(Self.patience(for: pages), maximumPatience)
    let isDone =
      (try? checkpoint(name, SQLITE_CHECKPOINT_RESTART, patience: patience)) != nil
    // With this pause, writers are excluded for at most a tenth of the time.
    let pause = Pause(pages: 2 * pages, end: .now + .milliseconds(10 * Int(patience)))
    pauses.withLock { $0[name.exact] = isDone ? nil : pause }
  }

  /// Returns whether a checkpoint of the database `name` can safely begin now; see
  /// ``WriteAheadLog/allowsCheckpoint(by:)``.
  ///
  /// If the state of the log cannot be read, returns `true`, and SQLite determines whether there is
  /// any work.
  ///
  /// With an older library, the checkpoint is safe only if the log still has frames to move when
  /// the checkpoint begins. Within this process, no other thread moves frames while writers write.
  /// Frames that this function finds in the log are therefore still there when the checkpoint
  /// begins.
  private func mayBegin(_ name: String) -> Bool {
    guard let log = try? connection().writeAheadLog(of: name) else {
      return true
    }
    return log.allowsCheckpoint(by: SQLiteLibrary.current.version)
  }

  private func connection() throws(StorageError) -> Connection {
    try pooled.state().connection(mayWrite: true)
  }

  private func isPaused(_ name: String, _ pages: Int) -> Bool {
    guard let pause = pauses.withLock({ $0[name.exact] }) else { return false }
    return pages < pause.pages && ContinuousClock.now < pause.end
  }

  /// Waits up to 1 s for the writer lock, and returns whether the lock was acquired.
  ///
  /// The wait ends when the checkpointer is stopped. The thread that calls ``stop()`` may hold that
  /// lock while it waits for the running checkpoint. If the wait for the lock then continued, each
  /// thread would wait for the other.
  ///
  /// The lock prefers threads that have waited for a long time. With a single long wait, the
  /// checkpointer acquires the lock before writers that arrive later. With several short waits,
  /// writers would always be ahead of the checkpointer.
  private func lockUnlessStopped() -> Bool {
    writers.lock(timeout: .seconds(1)) { self.isStopped.load(ordering: .relaxed) }
  }

  /// Returns the longest time in milliseconds for which the checkpointer excludes writers to wait
  /// for readers, if the log has `pages` pages.
  private static func patience(for pages: Int) -> Int32 {
    switch pages / threshold {
    case ..<4: 0
    case ..<16: 20
    case ..<64: 200
    default: 2_000
    }
  }

  /// Runs a checkpoint, and returns the number of pages in the log. (`sqlite3_wal_checkpoint_v2`)
  ///
  /// - Throws: the error that SQLite reports. With `SQLITE_CHECKPOINT_RESTART`, SQLite also reports
  ///   an error if readers prevent the restart of the log for `patience` milliseconds.
  private func checkpoint(
    _ name: String, _ mode: Int32, patience: Int32
  ) throws(StorageError) -> Int {
    let raw = try pooled.state().raw
    sqlite3_busy_timeout(raw, patience)
    var pages: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(raw, name, mode, &pages, nil)
    guard code == SQLITE_OK else {
      throw .sqlite(
        "checkpoint the write-ahead log of \(quoted(name)) in \(DatabaseFile.name(of: raw))",
        SQLiteError(code, on: raw, sql: nil))
    }
    return Int(pages)
  }
}
