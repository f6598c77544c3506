import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one way into an opened backend: every write passes it.
///
/// Interceptors, observation and the cache of decoded settings hang on the gate. Two storages may share one gate; two gates on one file
/// coordinate as two processes do. An open backend has one gate in all storages that take one ``BackendChoice/backend(_:)``.
public final class Gate: Sendable {
  /// The backend behind the gate.
  public let backend: any StorageBackend

  /// The same backend, if others may write to its store; the cast costs more than a cached read.
  let shared: (any SharedBackend)?

  /// The same backend, if it can exclude other writers; the cast is made once.
  private let exclusive: (any ExclusiveAccessBackend)?

  private let writer = WriterLock()
  private let interceptors = Mutex(Registry<Interceptor>())
  private let observers = Mutex(Registry<Observer>())
  private let outside = Mutex<(any ExternalWatch)?>(nil)
  let cache = ValueCache()

  /// Puts a gate in front of `backend`.
  public init(_ backend: any StorageBackend) {
    self.backend = backend
    self.shared = backend as? any SharedBackend
    self.exclusive = backend as? any ExclusiveAccessBackend
  }

  /// Reads from the backend in its place: a copy of it costs as much as a read of a hot value.
  func read(_ name: String) throws(StorageError) -> Data? { try backend.read(name) }

  /// Adds an interceptor, called after those added before it, until the registration is released or cancelled.
  public func intercept(_ interceptor: Interceptor) -> Registration {
    let id = interceptors.withLock { $0.add(interceptor) }
    return Registration { [weak self] in
      // Let go of outside the lock: whatever it holds may cancel another registration as it goes.
      let removed = self?.interceptors.withLock { $0.remove(id) }
      withExtendedLifetime(removed) {}
    }
  }

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
    let (write, result) = try writer.withLock(orThrow: { $0 as any Error }) {
      try withExclusiveAccess {
        let (changes, result) = try body()
        let write = Write.changes(changes)
        try perform(write) { () throws(StorageError) in try backend.apply(changes) }
        return (write, result)
      }
    }
    announce(write)
    return result
  }

  private func withExclusiveAccess<Result>(_ body: () throws -> Result) throws -> Result {
    guard let exclusive else { return try body() }
    return try exclusive.withExclusiveAccess(body)
  }

  /// Performs one write of any sort; the gate for writers in chunks.
  func write(_ write: Write, _ body: () throws(StorageError) -> Void) throws {
    try writer.withLock(orThrow: { $0 as any Error }) { try perform(write, body) }
    announce(write)
  }

  private func perform(_ write: Write, _ body: () throws(StorageError) -> Void) throws {
    for interceptor in interceptors.withLock({ $0.values }) { try interceptor.before(write) }
    // A failing batch may have changed something, so the cache forgets in either case.
    defer { cache.forget(write) }
    try body()
  }

  private func announce(_ write: Write) {
    for interceptor in interceptors.withLock({ $0.values }) { interceptor.after(write) }
    let all = observers.withLock { $0.values }
    if all.isEmpty { return }
    let names = Set(write.names)
    for observer in all where observer.concerns(names) { observer.handler() }
  }

  // MARK: Observation

  /// Calls `handler` after every committed write to one of `names` (`nil`: to any), and after every change from outside.
  ///
  /// The handler runs on the writer's thread, outside the gate. Where other processes may write, the first observer
  /// starts a watch; when that cannot be had the error says why.
  public func observe(
    _ names: Set<String>? = nil, _ handler: @escaping @Sendable () -> Void
  ) throws(StorageError) -> Registration {
    try watchOutside()
    let id = observers.withLock { $0.add(Observer(names: names, handler: handler)) }
    return Registration { [weak self] in
      let removed = self?.observers.withLock { $0.remove(id) }
      withExtendedLifetime(removed) {}
    }
  }

  private func watchOutside() throws(StorageError) {
    guard let shared else { return }
    try outside.withLock { (watch) throws(StorageError) in
      if watch != nil { return }
      watch = try shared.watchExternalChanges { [weak self] in
        self?.cache.forgetAll()
        for observer in self?.observers.withLock({ $0.values }) ?? [] { observer.handler() }
      }
    }
  }

  private struct Observer: Sendable {
    let names: Set<String>?
    let handler: @Sendable () -> Void

    func concerns(_ changed: Set<String>) -> Bool {
      names.map { !$0.isDisjoint(with: changed) } ?? true
    }
  }
}
