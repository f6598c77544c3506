#if SyncServer
  package import UndercroftCore

  extension ServerOptions {
    /// Throws ``StorageError/Code/misuse`` if a server could not start with these options and the
    /// limits, or could answer no request.
    ///
    /// The reasons are an address that would need TLS, a certificate that cannot be used, both
    /// ports being the same, or a number that is negative, not a number, or so large that a
    /// computation with it would overflow.
    package func validate(with limits: ServerLimits) throws(StorageError) {
      guard isLoopback || certificate != nil || allowsPlainHTTP else {
        throw StorageError(
          .misuse,
          """
          cannot listen on \(quoted(host)): other computers reach this address, and without a \
          certificate the tokens would be sent in plain text
          """,
          suggestion: """
            state a certificate and its key, listen on 127.0.0.1 behind a proxy that encrypts, or \
            allow plain HTTP explicitly
            """)
      }
      _ = try certificate?.configuration()
      try validateNumbers(with: limits)
      if let adminPort, adminPort == port, adminPort != 0, adminHost == host {
        throw StorageError(
          .misuse,
          "cannot serve health and metrics on port \(adminPort): it is the port of the protocol",
          suggestion: "state another port for health and metrics, or none")
      }
    }

    private func validateNumbers(with limits: ServerLimits) throws(StorageError) {
      let numbers = [
        ("stopSeconds", stopSeconds), ("compactionSeconds", compaction?.seconds ?? 0),
      ]
      let intervals = [
        ("heartbeatSeconds", heartbeatSeconds), ("limits.bodySeconds", limits.bodySeconds),
        ("limits.idleSeconds", limits.idleSeconds),
      ]
      let counts = [
        ("limits.bodyBytes", limits.bodyBytes),
        ("limits.pendingBodyBytes", limits.pendingBodyBytes),
        ("limits.connections", limits.connections), ("limits.requestBurst", limits.requestBurst),
        ("limits.threads", limits.threads),
      ]
      // With 0, no request waits, or no stream is opened.
      let optionalCounts = [
        ("limits.streams", limits.streams), ("limits.streamScopes", limits.streamScopes),
        ("limits.waitingRequests", limits.waitingRequests),
      ]
      // These limits are only compared, so that every positive number can be used.
      let accountLimits = [
        ("limits.scopesPerAccount", limits.scopesPerAccount.map { Int64($0) }),
        ("limits.bytesPerAccount", limits.bytesPerAccount),
      ]
      for (name, number) in numbers { try Self.require(number, in: 0...1_000_000_000, name) }
      // NIO counts nanoseconds, so a shorter time would be none, and would end every request.
      // Without a time between them, comments would fill every stream.
      for (name, interval) in intervals {
        try Self.require(interval, in: 0.000_000_001...1_000_000_000, name)
      }
      try Self.require(
        limits.requestsPerSecond, in: 0.001...1_000_000_000, "limits.requestsPerSecond")
      for (name, count) in counts { try Self.require(count, in: 1...1_000_000_000_000, name) }
      for (name, count) in optionalCounts {
        try Self.require(count, in: 0...1_000_000_000_000, name)
      }
      for (name, limit) in accountLimits { try Self.require(limit ?? 0, in: 0 ... .max, name) }
    }

    private static func require<Number: Comparable>(
      _ number: Number, in range: ClosedRange<Number>, _ name: String
    ) throws(StorageError) {
      guard range.contains(number) else {
        throw StorageError(
          .misuse, "cannot serve with \(name) = \(number): the number is out of range",
          suggestion: "state a number from \(range.lowerBound) to \(range.upperBound)")
      }
    }
  }
#endif
