import Synchronization
import UndercroftFoundation

/// The access point through which storages write to an opened backend.
///
/// The gate calls interceptors, notifies observers and owns the cache of decoded
/// settings. Interceptors and observers of a gate use the names in the backend.
/// Interceptors and observers of a ``Storage`` use the keys and names of the application.
///
/// Several storages can share a gate: an open backend has one gate in all storages
/// that use the same ``BackendChoice/backend(_:)``. Two gates on one file coordinate
/// like two processes. The gates of one open SQLite database report to each other the
/// names that they write. Interceptors are called only for writes of their own gate.
package final class Gate: Sendable {
  /// The backend behind the gate.
  package let backend: any StorageBackend

  /// The backend as a ``SharedBackend``, or `nil` if other processes cannot change its store.
  ///
  /// The result of the cast is stored, because a cast needs more time than a cached read.
  let shared: (any SharedBackend)?

  /// The backend as an ``ExclusiveAccessBackend``, or `nil` if it cannot exclude other writers.
  private let exclusive: (any ExclusiveAccessBackend)?

  /// The backend as a ``WriteCountingBackend``, or `nil` if it does not count its writes.
  private let counting: (any WriteCountingBackend)?

  /// The backends behind this gate whose writes may be part of a larger transaction.
  let transactional: [any TransactionalBackend]

  private let lock: WriterLock
  let notifier = ChangeNotifier()
  private let externalWatch = Mutex<(any ExternalWatch)?>(nil)
  /// The registrations of this gate's listener with its transactional backends.
  private let listening = Mutex<[Registration]>([])
  let cache = ValueCache()

  /// Creates a gate for `backend`.
  package init(_ backend: any StorageBackend) {
    self.backend = backend
    self.lock = WriterLock(backend: backend.name)
    self.shared = backend as? any SharedBackend
    self.exclusive = backend as? any ExclusiveAccessBackend
    self.counting = backend as? any WriteCountingBackend
    self.transactional = backend.transactionalBackends
    if transactional.isEmpty { return }
    let listener = commitListener
    let registrations = transactional.map { $0.addListener(listener) }
    listening.withLock { $0 = registrations }
  }

  /// Returns the bytes that the backend stores under a name, or `nil` if there are none.
  ///
  /// Calling the backend here, instead of returning it, avoids a copy of
  /// the existential, which would need as much time as a cached read.
  func read(_ name: String) throws(StorageError) -> Data? { try backend.read(name) }

  /// A number that changes if a writer other than this gate may have changed the store.
  ///
  /// If the backend is a ``WriteCountingBackend``, writes through this gate change the number too.
  var changeCount: UInt64 {
    if let shared { return shared.externalChangeCount() }
    return counting?.writeCount() ?? 0
  }

  /// Adds an interceptor, which is called after the interceptors that were added before it.
  ///
  /// The interceptor is active until the registration is cancelled or released.
  package func intercept(_ interceptor: Interceptor) -> Registration { notifier.add(interceptor) }

  /// Applies a batch of changes.
  ///
  /// Calls the `before` handlers of the interceptors, applies the batch, invalidates
  /// the cached values, calls the `after` handlers, and notifies observers.
  package func apply(_ changes: [StorageChange]) throws {
    try write(.changes(changes)) { () throws(StorageError) in try backend.apply(changes) }
  }

  /// Runs `body`, which reads values and fills a batch, and then applies the batch.
  ///
  /// No other gate, thread or process writes to the store
  /// between the first read and the last change.
  package func edit<Result>(_ body: (_ changes: inout [StorageChange]) throws -> Result) throws
    -> Result
  {
    let result = try withExclusiveAccess {
      try lock.lock()
      defer { lock.unlock() }
      var changes: [StorageChange] = []
      let result = try body(&changes)
      try perform(.changes(changes)) { () throws(StorageError) in try backend.apply(changes) }
      return result
    }
    deliver()
    return result
  }

  // The backend's lock is acquired before the gate's lock. A thread that already holds
  // the backend's lock, such as in a transaction, can then write through the gate. In
  // the opposite order, that thread and another writer of the gate would deadlock.

  private func withWriterLock(_ body: () throws -> Void) throws {
    guard let exclusive else { return try body() }
    try exclusive.withWriterLock(body)
  }

  private func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard let exclusive else { return try backend.withExclusiveAccessIfShared(body) }
    return try exclusive.withExclusiveAccess(body)
  }

  /// Performs a write of any kind: acquires the locks, calls
  /// the interceptors, runs `body`, and notifies the observers.
  func write(_ write: Write, _ body: () throws(StorageError) -> Void) throws {
    try withWriterLock {
      try lock.lock()
      defer { lock.unlock() }
      try perform(write, body)
    }
    deliver()
  }

  private func perform(_ write: Write, _ body: () throws(StorageError) -> Void) throws {
    let interceptors = notifier.interceptors
    for interceptor in interceptors.values { try interceptor.before(write) }
    do {
      try asWriter(of: transactional[...], body)
    } catch {
      // A failed batch may have changed some values.
      finish(write, nil)
      throw error
    }
    finish(write, .write(write, lastInterceptor: interceptors.lastID))
  }

  /// Runs `body` as a write of this gate.
  ///
  /// The backends report the write to all other gates.
  private func asWriter(
    of backends: ArraySlice<any TransactionalBackend>, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let first = backends.first else { return try body() }
    try first.withWriter(self) { () throws(StorageError) in
      try asWriter(of: backends.dropFirst(), body)
    }
  }

  /// Invalidates the cached values that a write changed, and enqueues the notification of the
  /// observers.
  ///
  /// If the calling thread has a transaction of the backend open, other threads still read
  /// the old values, and the write may be rolled back. The written names are therefore not
  /// cached until the transaction ends, and the observers are notified only after a commit.
  private func finish(_ write: Write, _ event: ChangeNotifier.Event?) {
    if finishLater(write, event, transactional[...]) {
      return cache.suspend(write.names)
    }
    cache.invalidate(write)
    if let event { notifier.enqueue(event) }
  }

  /// Defers the end of a write until the transactions
  /// of the calling thread in `backends` have ended.
  ///
  /// A layer may write to several databases, and the
  /// thread may have an open transaction in each of them.
  ///
  /// - Returns: `true` if the thread has an open transaction.
  ///   Otherwise, `false`, and nothing is deferred.
  private func finishLater(
    _ write: Write, _ event: ChangeNotifier.Event?,
    _ backends: ArraySlice<any TransactionalBackend>
  ) -> Bool {
    guard let first = backends.first else { return false }
    let others = backends.dropFirst()
    let isInTransaction = first.afterTransaction { [self] isCommitted in
      let event = isCommitted ? event : nil
      if finishLater(write, event, others) { return }
      cache.resume(write.names)
      guard let event else { return }
      notifier.enqueue(event)
      deliver()
    }
    return isInTransaction || finishLater(write, event, others)
  }

  private func deliver() { notifier.deliver(afterUseOf: transactional) }

  /// Whether the calling thread reads through an open transaction,
  /// and may therefore read other values than the cached values.
  var hasOpenTransaction: Bool {
    // Every cached read calls this property. An iterator would copy each backend.
    for index in transactional.indices where transactional[index].hasOpenTransaction { return true }
    return false
  }

  /// Stores a value in the cache, unless the calling thread is inside a read
  /// or a write that it began directly on the backend, such as a transaction.
  ///
  /// Such a thread may read values that are uncommitted, or older
  /// than the latest values that other threads have committed.
  func cacheValue(_ value: any CachedValue, for name: String, since generation: Int) {
    if transactional.contains(where: \.isInsideTransaction) { return }
    cache.store(value, for: name, since: generation)
  }

  // MARK: Observation

  /// Calls `handler` after every committed write to one of `names`,
  /// and after every change of these names by other writers.
  ///
  /// If it is unknown which names another writer has changed, `handler` is called as well.
  ///
  /// The handler runs without the locks of the gate, by default on the writing thread before the
  /// write returns. Handlers of a gate never run at the same time and are never nested. A handler
  /// can write. If values are written during a call of a handler, the observers are notified of
  /// all these writes together afterwards, on a queue of the gate. A handler that writes to its
  /// own names on every call is called again on that queue until its registration is cancelled.
  ///
  /// If other processes can write to the store, the first observer starts a file system watch.
  ///
  /// - Parameters:
  ///   - names: the names to observe, or `nil` for all names that begin with `prefix`.
  ///   - prefix: the prefix of the names to observe if `names` is `nil`.
  ///   - handler: the closure to call.
  /// - Throws: an error if the store cannot be watched.
  package func observe(
    _ names: Set<String>? = nil, withPrefix prefix: String = "",
    _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> Registration {
    try startExternalWatch()
    return notifier.add(
      ChangeNotifier.Observer(
        names: names.map { Set($0.lazy.map(\.exact)) }, prefix: prefix,
        storedNames: names.flatMap(storedNames(of:)), handler: handler))
  }

  /// Notifies every observer, because any value may have changed.
  func notifyUnknownChange() {
    notifier.enqueue(.change(storedNames: nil))
    notifier.deliver()
  }

  private func startExternalWatch() throws(StorageError) {
    guard let shared else { return }
    if externalWatch.withLock({ $0 != nil }) { return }
    // Called without the lock, because starting a watch may
    // run closures of the caller, which may observe this gate.
    let newWatch = try shared.watchExternalChanges { [weak self] in
      guard let self else { return }
      cache.invalidateAll()
      notifyUnknownChange()
    }
    externalWatch.withLock { watch in
      if watch == nil { watch = newWatch }
    }
  }
}
