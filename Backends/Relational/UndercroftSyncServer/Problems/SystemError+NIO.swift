#if SyncServer
  import NIOCore
  package import UndercroftCore

  extension SystemError {
    /// Creates the cause of an error of NIO, or returns `nil` if it was no system call.
    ///
    /// The text of NIO names its internal function and arguments.
    package init?(nio error: any Error) {
      guard let error = error as? IOError else { return nil }
      self.init(number: error.errnoCode)
    }
  }
#endif
