#if SyncServer
  import UndercroftFileSystem

  /// The standard output of the process.
  enum StandardOutput {
    /// Writes the text that `print` has buffered.
    static func flush() { fflush(nil) }
  }
#endif
