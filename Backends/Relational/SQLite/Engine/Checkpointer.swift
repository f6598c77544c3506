import CSQLite
import Dispatch
import Synchronization
import UndercroftCore

/// Moves what was committed from the log into the file, on a thread and a connection of its own, so that no commit pays for it.
///
/// Most of it is done beside readers and writers. A log that is long is then finished while writers wait, because it can
/// begin anew only at an instant when it is moved whole and nobody reads from it; the longer it is, the longer readers are waited for.
final class Checkpointer: Sendable {
  /// Pages in the log from which it is worth the trouble; SQLite's own default.
  static let threshold = 1_000

  private let queue = DispatchQueue(label: "undercroft.sqlite-checkpoint", qos: .utility)
  private let seat: Seat
  private let writers: TurnLock
  private let isPlanned = Atomic<Bool>(false)
  private let isStopped = Atomic<Bool>(false)
  /// The longest that writers may be kept waiting, in milliseconds: a part of what they are ready to wait.
  private let maximalPatience: Int32
  private let pauses = Mutex<[ExactString: Pause]>([:])

  /// After readers stayed for too long, writers are not kept waiting again until it is worth more, or readers may have gone.
  private struct Pause {
    let pages: Int
    let end: ContinuousClock.Instant
  }

  /// - Parameters:
  ///   - writers: the lock under which all writing of this database is done.
  ///   - lockTimeout: how long a writer waits for it.
  init(
    writers: TurnLock, lockTimeout: Duration,
    _ open: @escaping @Sendable () throws(StorageError) -> SQLiteHandle
  ) {
    self.writers = writers
    maximalPatience = Int32(clamping: lockTimeout.nanoseconds / 4_000_000)
    seat = Seat { (_) throws(StorageError) in try open() }
  }

  /// Makes the connection tell of its commits; it must not outlive the checkpointer. (`sqlite3_wal_hook`)
  func attend(_ handle: borrowing SQLiteHandle) {
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

  private func plan() {
    if isStopped.load(ordering: .relaxed) { return }
    if isPlanned.exchange(true, ordering: .acquiringAndReleasing) { return }
    queue.async { [weak self] in self?.run() }
  }

  /// Waits for the checkpoint at hand and closes the connection; ``resume()`` lets it go on.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    queue.sync { seat.close() }
  }

  func resume() { isStopped.store(false, ordering: .relaxed) }

  // MARK: On the queue

  private func run() {
    isPlanned.store(false, ordering: .releasing)
    if isStopped.load(ordering: .relaxed) { return }
    guard let databases = try? seat.connection(mayWrite: true).databases() else { return }
    // Each that is attached has a log of its own.
    for database in databases where database.location != nil && !isStopped.load(ordering: .relaxed)
    {
      move(database.name)
    }
  }

  private func move(_ name: String) {
    guard mayBegin(name) else { return }
    // What goes wrong here goes wrong again at a commit, or is over by then.
    guard let pages = try? checkpoint(name, SQLITE_CHECKPOINT_PASSIVE, patience: 0) else { return }
    if pages < 2 * Self.threshold || isPaused(name, pages) { return }
    guard lockUnlessStopped() else { return }
    defer { writers.unlock() }
    let patience = min(Self.patience(for: pages), maximalPatience)
    let isDone =
      (try? checkpoint(name, SQLITE_CHECKPOINT_RESTART, patience: patience)) != nil
    // So that writers wait for a tenth of their time at most.
    let pause = Pause(pages: 2 * pages, end: .now + .milliseconds(10 * Int(patience)))
    pauses.withLock { $0[name.exact] = isDone ? nil : pause }
  }

  /// Whether there is something to move; a log whose index cannot be read is left to the library.
  ///
  /// Within this process only this thread moves pages while writers write, so a log that is not moved yet stays so until the checkpoint begins.
  private func mayBegin(_ name: String) -> Bool {
    guard let log = try? seat.connection(mayWrite: true).writeAheadLog(of: name) else {
      return true
    }
    return log.allowsCheckpoint(by: SQLiteLibrary.current.version)
  }

  private func isPaused(_ name: String, _ pages: Int) -> Bool {
    guard let pause = pauses.withLock({ $0[name.exact] }) else { return false }
    return pages < pause.pages && ContinuousClock.now < pause.end
  }

  /// Waits for the lock of the writers, unless the checkpointer is stopped: the thread that stops it may have that lock.
  ///
  /// One wait keeps its place before the writers that come later. Several short ones would always be behind them.
  private func lockUnlessStopped() -> Bool {
    writers.lock(timeout: .seconds(1)) { self.isStopped.load(ordering: .relaxed) }
  }

  /// How long writers may be kept waiting for readers to end, in milliseconds.
  private static func patience(for pages: Int) -> Int32 {
    switch pages / threshold {
    case ..<4: 0
    case ..<16: 20
    case ..<64: 200
    default: 2_000
    }
  }

  /// Returns how many pages were in the log; throws when it could not be done whole. (`sqlite3_wal_checkpoint_v2`)
  private func checkpoint(
    _ name: String, _ mode: Int32, patience: Int32
  ) throws(StorageError) -> Int {
    let connection = try seat.connection(mayWrite: true)
    sqlite3_busy_timeout(connection.raw, patience)
    var pages: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(connection.raw, name, mode, &pages, nil)
    guard code == SQLITE_OK else {
      throw .sqlite("move the log", SQLiteError(code, on: connection.raw, sql: nil))
    }
    return Int(pages)
  }
}
