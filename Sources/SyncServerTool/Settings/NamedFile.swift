#if SyncServer
  import UndercroftCore
  import UndercroftFoundation

  /// A file that an option or a setting names.
  enum NamedFile {
    /// Returns the bytes of the file.
    ///
    /// - Parameter purpose: what the file contains, such as `the settings`.
    static func bytes(
      _ path: String, _ purpose: String, suggestion: String
    ) throws(StorageError) -> Data {
      do { return try Data(contentsOf: URL(filePath: path)) } catch {
        // The text of `error` also contains its domain and code.
        let reason = SystemError(causing: error).map { "\($0)".lowercased() }
        throw StorageError(
          .misuse, "cannot read \(purpose) \(quoted(path)): \(reason ?? "\(error)")",
          suggestion: suggestion, underlying: error)
      }
    }
  }
#endif
