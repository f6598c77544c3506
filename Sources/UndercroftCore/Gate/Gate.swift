import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one way into an opened backend: every write passes it.
///
/// Interceptors, observation and the cache of decoded settings hang on the gate. Two storages may share one gate; two gates on one file
/// coordinate as two processes do. An open backend has one gate in all storages that use one
/// ``BackendChoice/backend(_:)``. The gates of one open SQLite database report their writes to each other
/// by name; an interceptor is called for the writes of its own gate alone.
public final class Gate: Sendable {
  /// The backend behind the gate.
  public let backend: any StorageBackend

  /// The same backend, if others may write to its store; the cast costs more than a cached read.
  let shared: (any SharedBackend)?

  /// The same backend, if it can exclude other writers; the cast is made once.
  private let exclusive: (any ExclusiveAccessBackend)?

  /// The same backend, if it counts all writes that are made through it.
  private let counting: (any WriteCountingBackend)?

  /// The backends behind the gate whose writes may be part of a larger transaction; the casts are made once.
  private let transactional: [any TransactionalBackend]

  private let writer = WriterLock()
  let announcer = Announcer()
  private let outside = Mutex<(any ExternalWatch)?>(nil)
  /// The registrations of this gate as a listener of its transactional backends.
  private let listening = Mutex<[Registration]>([])
  let cache = ValueCache()

  /// Puts a gate in front of `backend`.
  public init(_ backend: any StorageBackend) {
    self.backend = backend
    self.shared = backend as? any SharedBackend
    self.exclusive = backend as? any ExclusiveAccessBackend
    self.counting = backend as? any WriteCountingBackend
    self.transactional = backend.transactionalBackends
    if transactional.isEmpty { return }
    let listener = commitListener
    let registrations = transactional.map { $0.addListener(listener) }
    listening.withLock { $0 = registrations }
  }

  /// Reads from the backend in its place: a copy of it costs as much as a read of a hot value.
  func read(_ name: String) throws(StorageError) -> Data? { try backend.read(name) }

  /// A number that differs once anything but this gate may have changed the backend.
  var changeCount: UInt64 {
    if let shared { return shared.externalChangeCount() }
    return counting?.writeCount() ?? 0
  }

  /// Adds an interceptor, called after those added before it, until the registration is released or cancelled.
  public func intercept(_ interceptor: Interceptor) -> Registration { announcer.add(interceptor) }

  /// Applies a batch: before-interceptors, backend, cache, after-interceptors, observers.
  public func apply(_ changes: [Change]) throws {
    try write(.changes(changes)) { () throws(StorageError) in try backend.apply(changes) }
  }

  /// Runs `body`, which reads and returns a batch, and applies that batch with no other write to the store between.
  ///
  /// No other gate, thread or process writes to the store between the first read and the last change.
  public func edit<Result>(_ body: () throws -> (changes: [Change], result: Result)) throws
    -> Result
  {
    let result = try withExclusiveAccess {
      try writer.withLock(orThrow: { $0 as any Error }) {
        let (changes, result) = try body()
        try perform(.changes(changes)) { () throws(StorageError) in try backend.apply(changes) }
        return result
      }
    }
    deliver()
    return result
  }

  // The backend's lock is acquired before the gate's. A thread that holds the backend's lock by other means, such as a
  // transaction, may write through the gate; with the gate's lock first, that thread and another writer of the gate would wait
  // for each other.

  private func withWriterLock(_ body: () throws -> Void) throws {
    guard let exclusive else { return try body() }
    try exclusive.withWriterLock(body)
  }

  private func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard let exclusive else { return try backend.withExclusiveAccessIfShared(body) }
    return try exclusive.withExclusiveAccess(body)
  }

  /// Performs one write of any sort; the gate for writers in chunks.
  func write(_ write: Write, _ body: () throws(StorageError) -> Void) throws {
    try withWriterLock {
      try writer.withLock(orThrow: { $0 as any Error }) { try perform(write, body) }
    }
    deliver()
  }

  private func perform(_ write: Write, _ body: () throws(StorageError) -> Void) throws {
    for interceptor in announcer.interceptors { try interceptor.before(write) }
    do {
      try asWriter(of: transactional[...], body)
    } catch {
      // A failing batch may have changed something.
      finish(write, isAnnounced: false)
      throw error
    }
    finish(write, isAnnounced: true)
  }

  /// Runs `body` as the write of this gate, which the backends report to all other gates.
  private func asWriter(
    of backends: ArraySlice<any TransactionalBackend>, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let first = backends.first else { return try body() }
    try first.withWriter(self) { () throws(StorageError) in
      try asWriter(of: backends.dropFirst(), body)
    }
  }

  /// Makes the cache forget what was written, and enqueues the announcement.
  ///
  /// Inside a transaction of the backend other threads still read the values of before, and the write may be rolled back. The cache
  /// therefore stores none of these names, and the announcement waits, until the transaction has ended.
  private func finish(_ write: Write, isAnnounced: Bool) {
    for backend in transactional {
      let isInTransaction = backend.afterTransaction { [self] isCommitted in
        cache.resume(write.names)
        guard isAnnounced, isCommitted else { return }
        announcer.enqueue(.write(write))
        deliver()
      }
      if isInTransaction { return cache.suspend(write.names) }
    }
    cache.forget(write)
    if isAnnounced { announcer.enqueue(.write(write)) }
  }

  /// Announces what waits, once the calling thread has left every use of the backend.
  ///
  /// Within a transaction an observer that saves would join it, and lose what it saved if the transaction is rolled back.
  /// Within any use other writers wait for the observers.
  func deliver() {
    guard announcer.hasWaiting else { return }
    for backend in transactional where backend.afterUse({ [self] in deliver() }) { return }
    announcer.deliver()
  }

  /// Stores a value that was read in the cache, unless the calling thread reads through a transaction, whose view may be older than
  /// what other threads have written since.
  func cacheValue(_ value: any KnownValue, for name: String, since generation: Int) {
    if transactional.contains(where: \.isInsideTransaction) { return }
    cache.keep(value, for: name, since: generation)
  }

  // MARK: Observation

  /// Calls `handler` after every committed write to one of `names` (`nil`: to any), and after every change from outside.
  ///
  /// The handler runs outside the gate, by default on the writer's thread before the write returns. Handlers never run at the same
  /// time or within each other: while one runs, further writes wait for their announcement, are announced together on a queue of the
  /// gate, and each name once. A handler may write. A handler that writes to its own names each time is called again and again, on
  /// that queue, until it is cancelled. Where other processes may write, the first observer starts a watch; when that cannot be had
  /// the error says why.
  public func observe(
    _ names: Set<String>? = nil, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> Registration {
    try watchOutside()
    return announcer.add(
      Announcer.Observer(
        names: names.map { Set($0.lazy.map(\.exact)) },
        storedNames: names.flatMap(storedNames(of:)),
        handler: handler))
  }

  private func watchOutside() throws(StorageError) {
    guard let shared else { return }
    if outside.withLock({ $0 != nil }) { return }
    // Outside of the lock: to begin a watch may run closures of the caller, which may observe this gate.
    let made = try shared.watchExternalChanges { [weak self] in
      guard let self else { return }
      cache.forgetAll()
      announcer.enqueue(.change(storedNames: nil))
      announcer.deliver()
    }
    outside.withLock { watch in
      if watch == nil { watch = made }
    }
  }
}
