#if SyncHTTP
  /// An event of a stream of server-sent events.
  package struct ServerEvent: Equatable {
    /// The type, which is "message" if the server has stated none.
    package var type: String
    /// The lines of data, separated by line feeds.
    package var data: String
    /// The last identifier that the server has stated.
    package var lastIdentifier: String

    package init(type: String, data: String, lastIdentifier: String) {
      (self.type, self.data, self.lastIdentifier) = (type, data, lastIdentifier)
    }
  }

  /// An incremental parser of server-sent events. (WHATWG HTML, section 9.2.6)
  ///
  /// The field `retry` is ignored, because the engine decides when it connects again.
  package struct EventStreamParser {
    /// The error for a line, or an event, that is longer than the limit.
    package struct LimitExceeded: Error {}

    /// The maximum number of bytes of a line, and of the data of an event.
    private static let maximumBytes = 64 << 10
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    private static let lineFeed: UInt8 = 0x0a
    private static let carriageReturn: UInt8 = 0x0d

    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the last byte was a carriage return, so that a line feed belongs to it.
    private var isAfterCarriageReturn = false
    private var type = ""
    private var data: [UInt8] = []
    private var lastIdentifier = ""

    package init() {}

    /// Parses the next bytes, and returns the events that end in them.
    ///
    /// An event that has not ended at the end of the stream is discarded.
    ///
    /// - Throws: ``LimitExceeded`` if a line or an event is too long.
    package mutating func parse(_ bytes: some Sequence<UInt8>) throws(LimitExceeded)
      -> [ServerEvent]
    {
      var events: [ServerEvent] = []
      for byte in bytes {
        let isContinuedEnd = isAfterCarriageReturn && byte == Self.lineFeed
        isAfterCarriageReturn = byte == Self.carriageReturn
        if isContinuedEnd { continue }
        if byte == Self.lineFeed || byte == Self.carriageReturn {
          if let event = try endLine() { events.append(event) }
        } else {
          guard line.count < Self.maximumBytes else { throw LimitExceeded() }
          line.append(byte)
        }
      }
      return events
    }

    /// Interprets the current line, and returns the event that an empty line ends.
    private mutating func endLine() throws(LimitExceeded) -> ServerEvent? {
      defer { line.removeAll(keepingCapacity: true) }
      var bytes = line[...]
      if isFirstLine, bytes.starts(with: Self.byteOrderMark) { bytes = bytes.dropFirst(3) }
      isFirstLine = false
      if bytes.isEmpty { return endEvent() }
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
      // A line that begins with a colon is a comment.
      guard colon != bytes.startIndex else { return nil }
      let name = bytes[..<(colon ?? bytes.endIndex)]
      var value = colon.map { bytes[($0 + 1)...] } ?? []
      if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
      switch String(decoding: name, as: UTF8.self) {
      case "event": type = String(decoding: value, as: UTF8.self)
      case "data":
        guard data.count + value.count < Self.maximumBytes else { throw LimitExceeded() }
        data.append(contentsOf: value)
        data.append(Self.lineFeed)
      case "id":
        if !value.contains(0) { lastIdentifier = String(decoding: value, as: UTF8.self) }
      default: break
      }
      return nil
    }

    /// Returns the event that ends, or `nil` if it has no data.
    private mutating func endEvent() -> ServerEvent? {
      defer {
        type = ""
        data.removeAll(keepingCapacity: true)
      }
      guard !data.isEmpty else { return nil }
      return ServerEvent(
        type: type.isEmpty ? "message" : type,
        data: String(decoding: data.dropLast(), as: UTF8.self), lastIdentifier: lastIdentifier)
    }
  }
#endif
