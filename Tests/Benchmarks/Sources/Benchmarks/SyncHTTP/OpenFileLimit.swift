#if SyncHTTP
  import Foundation

  /// The number of files and connections that this process, and the processes that it starts, may
  /// open.
  enum OpenFileLimit {
    /// Raises the limit to the largest one that the system allows. (`setrlimit`)
    ///
    /// - Throws: a ``BenchmarkFailure`` if the limit is smaller than `count`.
    static func raise(toAtLeast count: Int) throws {
      #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
      #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { throw BenchmarkFailure("getrlimit failed") }
      limit.rlim_cur = limit.rlim_max
      guard setrlimit(resource, &limit) == 0 else { throw BenchmarkFailure("setrlimit failed") }
      guard limit.rlim_max >= count else {
        throw BenchmarkFailure("\(count) open files are needed, and \(limit.rlim_max) are allowed")
      }
    }
  }
#endif
