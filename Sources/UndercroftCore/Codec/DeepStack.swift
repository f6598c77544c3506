#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread with a large stack, for coders that recurse
/// once for each level of a deeply nested value.
enum DeepStack {
  /// The stack size in bytes; the operating system allocates only the pages that are used.
  private static let size = 64 << 20

  private final class Work {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, and waits until the
  /// thread ends. (`pthread_create`, `pthread_join`)
  ///
  /// - Throws: any error that `body` throws, and
  ///   ``StorageError/Code/unavailable`` if the system cannot start a thread.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    var outcome: Swift.Result<Result, any Error>?
    try withoutActuallyEscaping(body) { body in
      try start(Work { outcome = Swift.Result(catching: body) })
    }
    guard let outcome else { throw failure }
    return try outcome.get()
  }

  private static func start(_ work: Work) throws(StorageError) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { throw failure }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, size) == 0 else { throw failure }
    // An unretained reference is safe, because this function joins the thread before it returns.
    let pointer = Unmanaged.passUnretained(work).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = pthread_create(&thread, &attributes, { DeepStack.main($0) }, pointer)
      guard result == 0, let thread else { throw failure }
    #else
      var thread = pthread_t()
      let result = pthread_create(&thread, &attributes, { DeepStack.main($0) }, pointer)
      guard result == 0 else { throw failure }
    #endif
    pthread_join(thread, nil)
    withExtendedLifetime(work) {}
  }

  private static func main(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeUnretainedValue().run() }
    return nil
  }

  private static var failure: StorageError {
    StorageError(
      .unavailable,
      """
      a deeply nested value requires a thread with a stack of \(size >> 20) MiB, and the system \
      cannot start such a thread
      """,
      suggestion: "run fewer threads, or raise the thread and memory limits of this process")
  }
}
