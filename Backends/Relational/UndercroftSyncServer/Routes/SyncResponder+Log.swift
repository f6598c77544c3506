#if SyncServer
  import HTTPTypes
  import Hummingbird
  import Logging

  extension SyncResponder {
    /// Counts and logs an answer.
    func note(
      _ exchange: Exchange, _ response: Response, since start: ContinuousClock.Instant
    ) {
      let duration = ContinuousClock.now - start
      let status = response.status.code
      let route = exchange.route?.name ?? "other"
      core.metrics.count(
        route: route, status: status,
        bytes: (exchange.requestBytes, response.body.contentLength ?? 0), duration: duration)
      core.logger.log(
        level: Self.level(status),
        "\(status < 500 ? "answered" : "failed to answer") a request",
        metadata: [
          "request": "\(exchange.identifier)", "endpoint": "\(route)", "status": "\(status)",
          "account": "\(exchange.account ?? "-")", "bytes": "\(exchange.requestBytes)",
          "milliseconds": "\(Int(duration / .milliseconds(1)))",
          "error": "\(exchange.problem?.cause ?? "-")",
        ])
    }

    /// Returns the level of the log line for an answer.
    private static func level(_ status: Int) -> Logger.Level {
      switch status {
      case ..<400: .debug
      case ..<500: .info
      // The server has failed.
      case 500: .error
      // The server is busy or stops, its store is not available, or an account has reached a limit.
      default: .warning
      }
    }
  }
#endif
