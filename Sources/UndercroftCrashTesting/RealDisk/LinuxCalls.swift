import UndercroftFileSystem

/// Functions of the Linux C library that Swift does not import.
enum LinuxCalls {
  typealias SyncFileSystem = @convention(c) (Int32) -> Int32
  typealias Unmount = @convention(c) (UnsafePointer<CChar>, Int32) -> Int32
  typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

  static func syncfs() throws(TraceError) -> SyncFileSystem {
    unsafeBitCast(try function("syncfs"), to: SyncFileSystem.self)
  }

  static func syncFileRange() throws(TraceError) -> SyncFileRange {
    unsafeBitCast(try function("sync_file_range"), to: SyncFileRange.self)
  }

  static func unmount() throws(TraceError) -> Unmount {
    unsafeBitCast(try function("umount2"), to: Unmount.self)
  }

  private static func function(_ name: String) throws(TraceError) -> UnsafeMutableRawPointer {
    guard let function = dlsym(nil, name) else {
      throw TraceError(
        """
        cannot call "\(name)": the C library of this system does not have this function; run this \
        program on a system whose C library has this function, such as Linux with glibc
        """)
    }
    return function
  }
}
