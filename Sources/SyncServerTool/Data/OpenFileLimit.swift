#if SyncServer
  import Logging

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The number of files that the process may open, of which each connection is one.
  enum OpenFileLimit {
    /// Raises the limit to the highest one that the system permits without privileges.
    ///
    /// Many systems start programs with a limit of 1,024, which event streams soon reach.
    static func raise(_ logger: Logger) {
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
      let previous = limit.rlim_cur
      limit.rlim_cur = limit.rlim_max
      guard setrlimit(resource, &limit) == 0 else {
        return logger.warning(
          "cannot raise the limit of open files", metadata: ["limit": "\(previous)"])
      }
      logger.debug(
        "raised the limit of open files",
        metadata: ["from": "\(previous)", "to": "\(limit.rlim_cur)"])
    }

    #if canImport(Glibc)
      private static var resource: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      }
    #else
      private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
  }
#endif
