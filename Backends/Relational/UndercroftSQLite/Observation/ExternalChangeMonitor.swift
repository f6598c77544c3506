import Synchronization
import UndercroftCore

/// A monitor that calls a handler after external changes, until the monitor is released.
///
/// The monitor reports commits of other processes and connections, and possible replacements of the
/// files. A file-system event in a folder of the database means that a file may have been written.
/// Comparing ``DataVersion`` shows whether another connection committed.
///
/// The notification of a commit of another process passes through `FolderWatch` (inotify),
/// `FolderWatches`, `DataVersionPoller` (`PRAGMA data_version`) and `RowGate.publishExternalChange`
/// to the observers. For the values of a `Storage`, the poller does not notify `RowGate`, but calls
/// the handler of `Gate.startExternalWatch` in the module `UndercroftCore`.
final class ExternalChangeMonitor: ExternalWatch {
  /// The handlers for file-system events in the watched folders, and for a renewal of the watches.
  struct Handlers: Sendable {
    /// Called after a file-system event in one of the watched folders.
    let onFileEvent: @Sendable () -> Void
    /// Called when the folders are watched again, because the files may have been replaced.
    let onReset: @Sendable () -> Void
  }

  private let registration: Registration

  init(
    of database: Database, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let poller = DataVersionPoller(handler) { [weak database] in
      try? database?.pool.withConnection(.readUsingWriter) {
        (connection) throws(StorageError) in
        database?.dataVersion(of: connection)
      }
    }
    let resetBaseline: @Sendable () -> Void = { [weak database] in
      guard let database else { return }
      let version = database.baselineVersion()
      poller.setBaseline(version, in: database.pool.generation.load(ordering: .relaxed))
    }
    resetBaseline()
    registration = try database.folders.add(
      Handlers(onFileEvent: poller.poll) {
        resetBaseline()
        handler()
        poller.pollLater()
      })
    // A reset before the folders had these handlers was reported only to other handlers.
    poller.invalidate(in: database.pool.generation.load(ordering: .relaxed))
    // A commit in progress may have caused all its events already, although it is not visible yet.
    poller.pollLater()
  }
}
