#if SyncServer
  import UndercroftCore
  import UndercroftFoundation

  extension Settings {
    /// Returns the bytes of a file that an option or a setting names.
    ///
    /// - Parameters:
    ///   - content: a noun phrase for the error, such as `the settings`.
    ///   - suggestion: the suggestion of the error.
    /// - Throws: `misuse` with the reason of the system if the file cannot be read.
    static func contents(
      of path: String, _ content: String, suggestion: String
    ) throws(StorageError) -> Data {
      do { return try Data(contentsOf: URL(filePath: path)) } catch {
        // An error of Foundation has a long text with its domain and code.
        let reason = SystemError(foundation: error)?.description.lowercased() ?? "\(error)"
        throw StorageError(
          .misuse, "cannot read \(content) \(quoted(path)): \(reason)", suggestion: suggestion,
          underlying: error)
      }
    }
  }
#endif
