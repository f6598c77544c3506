// The one place that names the C library of each platform.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// What differs between the systems' headers, or is missing from Swift's view of them.
package enum Platform {
  #if canImport(Darwin)
    /// Locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 90
  #else
    /// Locks that belong to an open file and not to a process: `F_OFD_SETLK`.
    package static let setOpenFileLock: Int32 = 37
  #endif
}
