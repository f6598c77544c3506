#if SyncPostgres
  import CPostgres
  import Synchronization
  import UndercroftCore

  /// A connection to PostgreSQL in pipeline mode, which one thread at a time uses.
  ///
  /// Every wait ends at a deadline, after which the connection is closed. Therefore nothing waits
  /// for a server or a network that does not answer.
  final class PostgresConnection: Sendable {
    private struct State {
      var prepared: Set<ExactString> = []
      var isBroken = false
    }

    private let handle: PostgresHandle
    private let state = Mutex(State())
    let answerTimeout: Duration

    init(owning handle: consuming PostgresHandle, answerTimeout: Duration) {
      self.handle = handle
      self.answerTimeout = answerTimeout
    }

    var raw: OpaquePointer { handle.raw }

    /// Whether the connection must be closed instead of used again.
    var isBroken: Bool {
      state.withLock { $0.isBroken } || PQstatus(raw) != CONNECTION_OK
    }

    /// Whether no transaction is open.
    var isIdle: Bool { PQtransactionStatus(raw) == PQTRANS_IDLE }

    func markBroken() { state.withLock { $0.isBroken = true } }

    func hasPrepared(_ name: ExactString) -> Bool { state.withLock { $0.prepared.contains(name) } }

    func notePrepared(_ name: ExactString) {
      state.withLock { _ = $0.prepared.insert(name) }
    }

    /// The last message of libpq about this connection, in one line.
    var lastMessage: String { Self.line(PQerrorMessage(raw)) }

    /// Returns a message of libpq in one line.
    static func line(_ message: UnsafePointer<CChar>?) -> String {
      guard let message else { return "unknown error" }
      let parts = String(cString: message).split(whereSeparator: \.isNewline)
      let line = parts.map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
      return line.isEmpty ? "the server closed the connection" : line
    }
  }
#endif
