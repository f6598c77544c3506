#if SyncServer
  import Logging
  import UndercroftCore

  /// The log of the tool.
  enum ServerLog {
    /// Returns the logger that the settings describe, which writes to the standard error.
    ///
    /// All other loggers of the process, such as those of the library, write in the same form. This
    /// function may be called only once.
    static func start(_ settings: Settings) throws -> Logger {
      let name = try settings.string(.logLevel) ?? "info"
      guard let level = Logger.Level(rawValue: name) else {
        let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        throw StorageError(
          .misuse, "cannot log messages of the level \(quoted(name)): there is no such level",
          suggestion: "state one of \(known)")
      }
      let format = try settings.string(.logFormat) ?? "text"
      guard ["text", "json"].contains(format) else {
        throw StorageError(
          .misuse, "cannot log messages in the form \(quoted(format)): there is no such form",
          suggestion: "state text or json")
      }
      LoggingSystem.bootstrap { label in
        var handler: any LogHandler =
          format == "json"
          ? JSONLogHandler(label: label) : StreamLogHandler.standardError(label: label)
        handler.logLevel = level
        return handler
      }
      return Logger(label: "undercroft-sync-server")
    }
  }
#endif
