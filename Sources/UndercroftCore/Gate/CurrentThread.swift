#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A namespace for the identifier of the thread that runs the calling code.
package enum CurrentThread {
  /// The identifier of the calling thread, which is unique among
  /// the running threads and never 0 (`pthread_self`).
  package static var number: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
