#if SyncPostgres
  import CPostgres
  import UndercroftCore

  extension PostgresConnection {
    /// Runs one command, and returns its result.
    func run(_ command: PostgresCommand) throws(PostgresFailure) -> PostgresResult {
      guard let result = try run([command]).last else {
        throw .malformed("a statement has no result")
      }
      return result
    }

    /// Sends all commands at once, and returns their results in order. (pipeline mode)
    ///
    /// If a command fails, the server skips the commands after it.
    func run(_ commands: [PostgresCommand]) throws(PostgresFailure) -> [PostgresResult] {
      do throws(PostgresFailure) {
        let parameters = try commands.map { (command) throws(PostgresFailure) in
          try PostgresParameters(command.parameters)
        }
        var expected: [ExpectedResult] = []
        for (command, parameters) in zip(commands, parameters) {
          if command.statement.isPrepared, !isExpected(command.statement, expected) {
            try prepare(command.statement)
            expected.append(.preparation(command.statement.name))
          }
          try send(command.statement, parameters)
          expected.append(.rows)
        }
        guard PQpipelineSync(raw) == 1 else { throw .connectionLost(lastMessage) }
        return try receive(expected)
      } catch {
        if error.endsConnection { markBroken() }
        throw error
      }
    }

    /// A result that the server owes.
    private enum ExpectedResult {
      case preparation(ExactString)
      case rows
    }

    private func isExpected(_ statement: PostgresStatement, _ expected: [ExpectedResult]) -> Bool {
      hasPrepared(statement.name)
        || expected.contains {
          if case .preparation(statement.name) = $0 { true } else { false }
        }
    }

    // MARK: Sending

    private func prepare(_ statement: PostgresStatement) throws(PostgresFailure) {
      let types = statement.types.map(\.rawValue)
      let sent = PQsendPrepare(
        raw, statement.name.text, statement.sql, Int32(types.count), types)
      guard sent == 1 else { throw .connectionLost(lastMessage) }
    }

    private func send(
      _ statement: PostgresStatement, _ parameters: PostgresParameters
    ) throws(PostgresFailure) {
      let count = Int32(parameters.ranges.count)
      let lengths = parameters.ranges.map { Int32(clamping: $0?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: parameters.ranges.count)
      let sent = parameters.bytes.withUnsafeBytes { buffer in
        let values = parameters.ranges.map { range in
          range.flatMap { buffer.baseAddress?.advanced(by: $0.lowerBound) }
            .map { $0.assumingMemoryBound(to: CChar.self) }
        }
        return statement.isPrepared
          ? PQsendQueryPrepared(raw, statement.name.text, count, values, lengths, formats, 1)
          : PQsendQueryParams(
            raw, statement.sql, count, statement.types.map(\.rawValue), values, lengths, formats, 1)
      }
      guard sent == 1 else { throw .connectionLost(lastMessage) }
    }

    // MARK: Receiving

    /// Reads the results of all commands, and the end of the pipeline.
    private func receive(
      _ expected: [ExpectedResult]
    ) throws(PostgresFailure) -> [PostgresResult] {
      let deadline = ContinuousClock.now + answerTimeout
      var results: [PostgresResult] = []
      var failure: PostgresFailure?
      for result in expected {
        guard let raw = try next(until: deadline) else {
          throw .connectionLost(lastMessage)
        }
        let owned = PostgresResult(owning: raw)
        switch PQresultStatus(raw) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
          if case .preparation(let name) = result {
            notePrepared(name)
          } else {
            results.append(owned)
          }
        // The server skips all commands after the one that failed.
        case PGRES_PIPELINE_ABORTED where failure != nil: break
        default: failure = failure ?? Self.failure(raw)
        }
        // Then there are no further results.
        if let failure, failure.endsConnection { throw failure }
        guard try next(until: deadline) == nil else {
          throw .malformed("a statement has two results")
        }
      }
      try receiveEnd(until: deadline, after: failure)
      if let failure { throw failure }
      return results
    }

    private func receiveEnd(
      until deadline: ContinuousClock.Instant, after failure: PostgresFailure?
    ) throws(PostgresFailure) {
      guard let raw = try next(until: deadline) else { throw .connectionLost(lastMessage) }
      let end = PostgresResult(owning: raw)
      guard PQresultStatus(raw) == PGRES_PIPELINE_SYNC else {
        _ = end
        throw failure ?? Self.failure(raw)
      }
    }

    /// Returns the failure that a result of libpq describes.
    ///
    /// The details of an error can contain stored values, so only the primary message is used.
    private static func failure(_ result: OpaquePointer) -> PostgresFailure {
      guard let state = undercroft_postgres_state(result) else {
        return .connectionLost(line(PQresultErrorMessage(result)))
      }
      return .refused(SQLState(String(cString: state)), line(undercroft_postgres_message(result)))
    }

    /// Returns the next result, or `nil` at the end of the results of a command. (`PQgetResult`)
    private func next(
      until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> OpaquePointer? {
      var isFlushed = false
      while true {
        if !isFlushed {
          let flushed = PQflush(raw)
          // The server may have sent the reason before it closed the connection.
          isFlushed = flushed != 1
        }
        if PQisBusy(raw) == 0 { return PQgetResult(raw) }
        let events: SocketEvents = isFlushed ? .readable : [.readable, .writable]
        let occurred = waitForSocket(PQsocket(raw), events, until: deadline)
        guard !occurred.isEmpty else { throw .noAnswer(within: answerTimeout) }
        guard !occurred.contains(.readable) || PQconsumeInput(raw) == 1 else {
          throw .connectionLost(lastMessage)
        }
      }
    }
  }
#endif
