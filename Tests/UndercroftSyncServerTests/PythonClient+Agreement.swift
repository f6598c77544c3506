#if SyncServer && SyncHTTP
  import TestSupport
  import Testing
  import UndercroftSync

  extension PythonClient {
    /// Synchronises both sides until neither has anything left to send or to receive.
    func settle(with engine: BookEngine) async throws {
      for _ in 0..<2 {
        let result = try await run("sync")
        #expect(result.status == 0, "\(result.errors)")
        try await engine.sync()
      }
    }

    /// Expects that both sides have the same books, and the digest of the server.
    func expectAgreement(with engine: BookEngine, _ digest: String) async throws {
      let listing = try await list()
      let books = try engine.books()
      #expect(listing.books == books)
      #expect(listing.queued == 0)
      let comparison = try await engine.engine.compareDigests()
      #expect(comparison.areEqual, "\(comparison)")
      #expect(listing.digest == digest)
    }
  }

  extension ScopeDigest {
    /// The digest in the form in which the Python client prints it.
    var text: String {
      let digits = String(sum, radix: 16)
      return "\(count) " + String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
#endif
