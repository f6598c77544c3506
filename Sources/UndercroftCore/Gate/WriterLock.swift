import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock that knows the thread that holds it, so that a write within a write is an error and not a deadlock.
final class WriterLock: Sendable {
  private let mutex = Mutex(())
  private let holder = Atomic<UInt>(0)

  /// Runs `body` alone; throws ``StorageError/Code/misuse`` when this thread is inside already.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    // Only this thread can have stored its own number, so a relaxed read suffices.
    let thread = Self.currentThread
    if holder.load(ordering: .relaxed) == thread {
      throw StorageError(
        .misuse, "cannot write: this thread is already inside a write of the same backend",
        cure: "make all changes in one edit")
    }
    return try mutex.withLock { _ in
      holder.store(thread, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      return try body()
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
