@preconcurrency import Dispatch
import Synchronization
package import UndercroftCore

/// A watch that calls a handler when entries of a folder are created,
/// written, renamed or removed, until the watch is released.
///
/// Several events in a row may be reported by one call.
package final class FolderWatch: ExternalWatch {
  private let source: any DispatchSourceProtocol

  /// Watches the folder at `path`, and reports the events of its entries in order.
  ///
  /// On Linux, the events contain names (inotify). On Apple systems,
  /// all events are ``FolderEvent/unknown`` (a dispatch source).
  package init(
    _ path: String, events handler: @escaping @Sendable ([FolderEvent]) -> Void
  ) throws(StorageError) {
    let queue = DispatchQueue(label: "undercroft.folder-watch")
    #if canImport(Darwin)
      let raw = open(path, O_EVTONLY | O_CLOEXEC)
      guard raw >= 0 else { throw .system("watch", path) }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: raw, eventMask: [.write, .extend, .rename, .delete], queue: queue)
      source.setEventHandler { handler([.unknown]) }
    #else
      let raw = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      guard raw >= 0 else { throw Self.failure(path, number: errno) }
      // modify, moved from, moved to, create, delete
      guard inotify_add_watch(raw, path, 0x0000_03c2) >= 0 else {
        let number = errno
        close(raw)
        throw Self.failure(path, number: number)
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: raw, queue: queue)
      let decoder = Mutex(FolderEventDecoder())
      source.setEventHandler {
        let events = decoder.withLock { decoder in
          withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 8) { buffer in
            // A bounded number of reads, because another process may write without a pause.
            for _ in 0..<16 {
              let count = Platform.retrying { read(raw, buffer.baseAddress, buffer.count) }
              if count <= 0 { break }
              decoder.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
          }
          return decoder.takeEvents()
        }
        handler(events)
      }
    #endif
    source.setCancelHandler { close(raw) }
    self.source = source
    source.activate()
  }

  /// Watches the folder at `path`, and calls a handler after any event of its entries.
  package convenience init(
    _ path: String, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    try self.init(path, events: { _ in handler() })
  }

  /// Returns the error for a watch that cannot be started, with the exceeded limit of inotify(7) if
  /// there is one.
  ///
  /// `EMFILE` means that the limit of inotify instances or of open files is reached, and `ENOSPC`
  /// means that the limit of inotify watches is reached. The general messages of the operating
  /// system for these numbers, such as "no space left on device", would be misleading.
  package static func failure(_ path: String, number: Int32) -> StorageError {
    let reason: String
    let limit: String
    switch number {
    case EMFILE:
      reason = "the limit of inotify instances or of open files is reached"
      limit = """
        the kernel limit fs.inotify.max_user_instances or the limit of open files of the process \
        (ulimit -n)
        """
    case ENOSPC:
      reason = "the limit of inotify watches is reached"
      limit = "the kernel limit fs.inotify.max_user_watches"
    default: return .system("watch", path, number: number)
    }
    return StorageError(
      .unavailable, "cannot watch \(quoted(path)) for changes: \(reason)",
      suggestion: "observe fewer stores at the same time, or raise \(limit)",
      underlying: SystemError(number: number))
  }

  /// Watches the folder at `path`, and calls a handler after an event if `count` has changed.
  ///
  /// The count is read before and after the watch starts, so that no change between the two reads
  /// is lost. A store also receives events of its own writes; the count shows whether another
  /// instance of the store has written. If the count cannot be read, reading is retried with delays
  /// of up to 10 s until it succeeds.
  package convenience init(
    _ path: String, counting count: @escaping @Sendable () throws(StorageError) -> UInt64,
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let changes = CountedChanges(count, handler)
    try self.init(path) { changes.examine() }
    changes.begin()
  }

  /// Watches the folder of a store's file at `path`, and calls a handler if the store's count of
  /// external changes has changed.
  ///
  /// The watch does not retain the store.
  package convenience init<Store: AnyObject & Sendable>(
    ofFile path: String, of store: Store,
    counting count: @escaping @Sendable (Store) throws(StorageError) -> UInt64,
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    try self.init(
      Folder.parent(of: path),
      counting: { [weak store] () throws(StorageError) in
        guard let store else { return 0 }
        return try count(store)
      },
      handler)
  }

  deinit { source.cancel() }
}
