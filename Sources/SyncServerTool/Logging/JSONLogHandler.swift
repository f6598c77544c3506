#if SyncServer
  import Logging
  import UndercroftCore
  import UndercroftFoundation
  import UndercroftSync

  /// A handler that writes each message as one line of JSON to the standard error.
  struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info
    let label: String

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      var members: [ExactString: JSONValue] = [
        "time": .string(
          Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
        "level": .string(event.level.rawValue), "logger": .string(label),
        "message": .string(event.message.description),
      ]
      let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
      for (key, value) in all { members[ExactString(key)] = .string(value.description) }
      var line = JSONWriter.data(.object(members))
      line.append(UInt8(ascii: "\n"))
      StandardError.append(line)
    }
  }
#endif
