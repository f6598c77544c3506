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

  /// - Parameter writers: the lock under which all writing of this database is done.
  init(writers: TurnLock, _ open: @escaping @Sendable () throws(StorageError) -> SQLiteHandle) {
    self.writers = writers
    seat = Seat(open)
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
    for database in databases where database.location != nil { move(database.name) }
  }

  private func move(_ name: String) {
    // What goes wrong here goes wrong again at a commit, or is over by then.
    guard let pages = try? checkpoint(name, SQLITE_CHECKPOINT_PASSIVE, patience: 0) else { return }
    if pages < 2 * Self.threshold { return }
    guard writers.lock(timeout: .seconds(1)) else { return }
    defer { writers.unlock() }
    _ = try? checkpoint(name, SQLITE_CHECKPOINT_RESTART, patience: Self.patience(for: pages))
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

  /// Returns how many pages were in the log. (`sqlite3_wal_checkpoint_v2`)
  private func checkpoint(
    _ name: String, _ mode: Int32, patience: Int32
  ) throws(StorageError) -> Int {
    let connection = try seat.connection(mayWrite: true)
    sqlite3_busy_timeout(connection.raw, patience)
    var pages: Int32 = 0
    sqlite3_wal_checkpoint_v2(connection.raw, name, mode, &pages, nil)
    return Int(pages)
  }
}
