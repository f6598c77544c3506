import UndercroftCore

extension SyncRunner {
  /// The number of attempts after which a scope is considered to change too often to be compared.
  private static let maximumAttempts = 5
  /// The maximum number of differing rows that a comparison lists.
  private static let maximumDifferences = 1_000

  /// Synchronises, and compares the pulled rows with those of the server.
  func compareDigests() async throws -> DigestComparison {
    guard !isOneWay else {
      throw StorageError(
        .misuse,
        """
        cannot compare the scope \(quoted(replica.scope.text)) with the server: the engine only \
        sends changes
        """,
        suggestion: "compare only scopes whose engine has the direction .twoWay", backend: "sync")
    }
    for _ in 0..<Self.maximumAttempts {
      _ = try await run()
      do {
        if let comparison = try await compare() { return comparison }
      } catch {
        if error is CancellationError || Task.isCancelled { throw CancellationError() }
        throw StorageError.synchronising(replica.scope, failedWith: error)
      }
    }
    throw StorageError(
      .unavailable,
      """
      cannot compare the scope \(quoted(replica.scope.text)) with the server: in each of \
      \(Self.maximumAttempts) attempts, this device and the server had different versions of the \
      scope
      """,
      suggestion: """
        compare again when no other device changes the scope, and no other process synchronises \
        the database
        """, backend: "sync")
  }

  /// Returns the comparison of the pulled rows with those of the server, or `nil` if the replica
  /// and the server are not at the same version of the scope.
  private func compare() async throws -> DigestComparison? {
    let replica = replica
    guard let (cursor, local) = try await blocking({ try replica.digest() }) else { return nil }
    let request = DigestRequest(scope: replica.scope, version: cursor)
    let answer = try DigestAnswer(
      decoding: await peer.send(SyncRequest(.digest, body: request.encoded())))
    guard answer.version == cursor else { return nil }
    var comparison = DigestComparison(
      version: cursor, localRows: local.count, serverRows: answer.digest.count,
      areEqual: local == answer.digest)
    guard !comparison.areEqual else { return comparison }
    guard let differences = try await differences(at: cursor) else { return nil }
    comparison.differences = differences
    return comparison
  }

  /// Returns the rows that differ, or `nil` if the scope has changed since the digests were
  /// compared.
  ///
  /// Each version belongs to only one row, so each page is compared only with the pulled rows in
  /// its range of versions.
  private func differences(at cursor: Int64) async throws -> [DigestComparison.Difference]? {
    let replica = replica
    var differences: [RowName: DigestComparison.Difference] = [:]
    var request = try await blocking { try replica.pullRequest(limit: replica.limits.pageRows) }
    request.cursor = 0
    request.appliedCursor = 0
    request.mode = .snapshot
    request.snapshotFloor = nil
    while differences.count < Self.maximumDifferences {
      let body = try request.encoded()
      guard
        case .page(let page) = try PullAnswer(
          decoding: await peer.send(SyncRequest(.pull, body: body))),
        page.head == cursor, page.from == request.cursor
      else { return nil }
      // The last page is also compared with pulled rows of greater versions, which the server
      // lacks.
      let end = page.hasMore ? page.to : Int64.max
      guard
        let local = try await blocking({
          try replica.pulledVersions(after: page.from, through: end, at: cursor)
        })
      else { return nil }
      Self.compare(local, page, &differences)
      guard page.hasMore else { break }
      request.cursor = page.to
      request.snapshotFloor = page.floor
    }
    return differences.sorted {
      ($0.key.table, $0.key.identifier) < ($1.key.table, $1.key.identifier)
    }
    .prefix(Self.maximumDifferences).map(\.value)
  }

  private static func compare(
    _ local: Set<PulledVersion>, _ page: SyncPage,
    _ differences: inout [RowName: DigestComparison.Difference]
  ) {
    let server = Set(
      page.rows.filter { $0.fields != nil }.map { row in
        PulledVersion(name: RowName(row.table, row.dataIdentifier), version: row.version)
      })
    func difference(_ name: RowName) -> DigestComparison.Difference {
      differences[name]
        ?? DigestComparison.Difference(
          table: name.table.text, dataIdentifier: name.identifier, localVersion: nil,
          serverVersion: nil)
    }
    for row in local.subtracting(server) {
      var found = difference(row.name)
      found.localVersion = row.version
      differences[row.name] = found
    }
    for row in server.subtracting(local) {
      var found = difference(row.name)
      found.serverVersion = row.version
      differences[row.name] = found
    }
  }
}
