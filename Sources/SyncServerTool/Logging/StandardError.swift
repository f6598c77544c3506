#if SyncServer
  import UndercroftCore
  import UndercroftFileSystem
  import UndercroftFoundation

  /// The standard error of the process.
  enum StandardError {
    /// Writes bytes in one call, so that lines of several threads do not mix.
    static func append(_ data: Data) {
      data.withUnsafeBytes { bytes in
        // A log that cannot be written is lost: there is no other place to report it.
        _ = write(2, bytes.baseAddress, bytes.count)
      }
    }
  }
#endif
