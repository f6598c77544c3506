#if SyncServer
  import Foundation

  /// A generated request that no client of this package sends, and that must not change a row.
  struct GeneratedRequest: Sendable {
    enum Kind: String, CaseIterable, Sendable {
      case malformed, oversized, truncated, replayed, slow, compressed
    }

    /// The action of the client after it has sent all bytes.
    enum Ending: Sendable, Equatable {
      /// Reads this number of answers, which the server must send.
      case answers(Int)
      /// Ends the sending direction, and waits for an answer or the end of the connection.
      case endOfRequest
      /// Waits until the server answers or closes the connection, which it must do.
      case serverLimit
      /// Closes the connection after a time, without reading.
      case close(after: Duration)
    }

    let kind: Kind
    /// The variant of the kind, for messages.
    let name: String
    /// The bytes, with a pause after each part.
    let parts: [Data]
    var pause = Duration.zero
    let ending: Ending
    /// The permitted statuses of answers.
    let statuses: Set<Int>

    /// The statuses that say that a request was processed or refused on purpose.
    static let regularStatuses = Set(200..<500)
  }
#endif
