import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock that knows the thread that holds it, so that a write within a write is an error and not a deadlock.
package final class WriterLock: Sendable {
  private let mutex = Mutex(())
  private let holder = Atomic<UInt>(0)

  package init() {}

  /// Whether the calling thread is inside.
  private var isHeldHere: Bool {
    // Only this thread can have stored its own number, so a relaxed read suffices.
    holder.load(ordering: .relaxed) == Self.currentThread
  }

  /// Runs `body` alone; throws ``StorageError/Code/misuse`` when this thread is inside already.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    if isHeldHere {
      throw StorageError(
        .misuse, "cannot write: this thread is already inside a write of the same backend",
        cure: "make all changes in one edit")
    }
    return try mutex.withLock { _ in
      holder.store(Self.currentThread, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      return try body()
    }
  }

  /// Runs `body` alone, or throws `nested` when this thread is inside already.
  package func withLock<Failure: Error>(
    orThrow nested: @autoclosure () -> Failure, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    if isHeldHere { throw nested() }
    try mutex.withLock { (_) throws(Failure) in
      holder.store(Self.currentThread, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      try body()
    }
  }

  /// Runs `body` alone unless any thread is inside; never waits.
  package func withLockIfAvailable(_ body: () -> Void) {
    if isHeldHere { return }
    mutex.withLockIfAvailable { _ in
      holder.store(Self.currentThread, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      body()
    }
  }

  private static var currentThread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
