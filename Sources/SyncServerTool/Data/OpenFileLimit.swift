#if SyncServer
  import Logging
  import UndercroftCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The number of files that the process may open, of which each connection is one.
  struct OpenFileLimit {
    /// The number of files, or `nil` if there is no limit.
    let count: Int?

    /// Raises the limit to the highest one that the system permits without privileges.
    ///
    /// Many systems start programs with a limit of 1,024, which event streams soon reach.
    init(raisedBy logger: Logger) {
      var limit = rlimit()
      guard getrlimit(Self.resource, &limit) == 0 else {
        count = nil
        return
      }
      let highest = Self.highest(limit)
      if limit.rlim_cur < highest {
        let previous = limit.rlim_cur
        limit.rlim_cur = highest
        if setrlimit(Self.resource, &limit) != 0 {
          let error = SystemError(number: errno)
          logger.warning(
            "cannot raise the limit of open files",
            metadata: ["error": "\(error)", "openFiles": "\(previous)", "wanted": "\(highest)"])
          limit.rlim_cur = previous
        }
      }
      count = Int(exactly: limit.rlim_cur)
    }

    /// Returns the number of connections that the server may accept, and logs a warning if it is
    /// smaller than the configured number.
    ///
    /// Without free files, the store and the tokens could not be read either.
    ///
    /// - Parameters:
    ///   - configured: the configured number of connections.
    ///   - stored: the number of files that the scopes and tokens need.
    func connections(_ configured: Int, besides stored: Int, _ logger: Logger) -> Int {
      let needed = Self.sum(Self.sum(configured, stored), Self.others)
      guard let count, count < needed else { return configured }
      let possible = min(configured, max(1, count - min(stored, count) - Self.others))
      logger.warning(
        "the limit of open files is too low for the connections: the server accepts fewer",
        metadata: [
          "openFiles": "\(count)", "neededFiles": "\(needed)",
          "configuredConnections": "\(configured)", "connections": "\(possible)",
        ])
      return possible
    }

    /// The number of files for the event loops, the log, certificates and libraries, and for the
    /// connections that are accepted together when the maximum is nearly reached.
    private static let others = 100

    private static func sum(_ lhs: Int, _ rhs: Int) -> Int {
      let (sum, isOverflow) = lhs.addingReportingOverflow(rhs)
      return isOverflow ? .max : sum
    }

    /// Returns the highest limit that the system accepts.
    private static func highest(_ limit: rlimit) -> rlim_t {
      #if canImport(Darwin)
        // Darwin refuses a greater number, although the maximum is infinite. (setrlimit(2))
        min(limit.rlim_max, rlim_t(OPEN_MAX))
      #else
        limit.rlim_max
      #endif
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
