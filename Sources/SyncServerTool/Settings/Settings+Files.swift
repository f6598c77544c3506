#if SyncServer
  import Foundation
  import UndercroftCore

  extension Settings {
    /// The maximum size of a file in bytes, which is more than settings and keys need.
    private static let maximumFileSize = 1 << 20

    /// Returns the bytes of a file that an option or a setting names, which can be a pipe.
    ///
    /// - Parameters:
    ///   - content: a noun phrase for the error, such as `the settings`.
    ///   - suggestion: the suggestion of the error.
    /// - Throws: `misuse` with the reason of the system if the file cannot be read, or if it has
    ///   more than 1 MiB.
    static func contents(
      of path: String, _ content: String, suggestion: String
    ) throws(StorageError) -> Data {
      func error(_ reason: String, _ underlying: (any Error)? = nil) -> StorageError {
        StorageError(
          .misuse, "cannot read \(content) \(quoted(path)): \(reason)", suggestion: suggestion,
          underlying: underlying)
      }
      let data: Data
      do { data = try read(path) } catch let failure { throw error(systemReason(failure), failure) }
      guard data.count <= maximumFileSize else { throw error("it has more than 1 MiB") }
      return data
    }

    /// Returns the bytes of a file up to one byte more than the maximum size.
    private static func read(_ path: String) throws -> Data {
      // `Data(contentsOf:)` reports for a pipe that the permission is missing.
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? file.close() }
      return try file.read(upToCount: maximumFileSize + 1) ?? Data()
    }

    /// Returns the reason of the system, because the text of an error of Foundation contains its
    /// domain and code.
    private static func systemReason(_ error: any Error) -> String {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      guard let cause, cause.domain == NSPOSIXErrorDomain else { return "\(error)" }
      return SystemError(number: Int32(cause.code)).description.lowercased()
    }
  }
#endif
