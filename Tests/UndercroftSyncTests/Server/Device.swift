import UndercroftCore
import UndercroftSync

/// A device without a database, which seals operations into packets and sends them to a server.
///
/// All operations belong to the scope "library".
struct Device {
  static let scope: ScopeIdentifier = "library"

  let server: SyncServer
  var replica: ReplicaIdentifier
  var account: String
  var chain = OperationChain()
  var resultsThrough: Int64 = 0
  var schemaVersion: Int64 = 1
  private var epoch: Epoch

  /// Creates a device, and requests the history of the scope from the server.
  ///
  /// - Parameter account: the account of the device, by default the name of the replica.
  init(_ replica: ReplicaIdentifier, account: String? = nil, on server: SyncServer) throws {
    self.server = server
    self.replica = replica
    self.account = account ?? replica.text
    epoch = "none"
    try adoptEpoch()
  }

  /// Requests the present history (epoch) of the scope from the server, and uses it from now on.
  mutating func adoptEpoch() throws {
    let hello = HelloRequest(
      replica: replica, account: account, scopes: [Self.scope], startTime: 0)
    if let scope = try server.hello(hello, account: account).scopes.first { epoch = scope.epoch }
  }

  // MARK: Pushing

  /// Returns an operation that could be sealed next, without sealing it.
  func operation(
    _ change: OperationChange, on row: DataIdentifier = "b1", table: String = "book",
    _ identifier: OperationIdentifier? = nil, knowing knowledge: AuthorKnowledge = .init(),
    minute: Int64 = 0, offset: Int64 = 0
  ) -> SyncOperation {
    let sequence = chain.count + 1 + offset
    return SyncOperation(
      operationIdentifier: identifier ?? OperationIdentifier("\(replica)-\(sequence)"),
      sequence: sequence, table: table, dataIdentifier: row, change: change, timestamp: Desk.now,
      hybridTimestamp: HybridTimestamp(milliseconds: Desk.now - 3_600_000 + minute * 60_000),
      knowledge: knowledge)
  }

  /// Seals operations into a packet, and adds them to the device's chain of operations.
  mutating func seal(_ operations: [SyncOperation]) -> SyncPacket {
    let packet = packet(operations)
    chain = packet.chainAfter
    return packet
  }

  /// Returns a packet whose operations follow the device's chain, without adding them to the chain.
  func packet(_ operations: [SyncOperation]) -> SyncPacket {
    var operations = operations
    for index in operations.indices {
      operations[index].sequence = chain.count + 1 + Int64(index)
    }
    return SyncPacket(
      scope: Self.scope, epoch: epoch, replica: replica, schemaVersion: schemaVersion,
      packet: "\(replica)/\(chain.count)", resultsThrough: resultsThrough, after: chain,
      operations: operations)
  }

  /// Seals an operation with one change into a packet.
  mutating func seal(
    _ change: OperationChange, on row: DataIdentifier = "b1",
    _ identifier: OperationIdentifier? = nil, knowing knowledge: AuthorKnowledge = .init(),
    minute: Int64 = 0
  ) -> SyncPacket {
    seal([operation(change, on: row, identifier, knowing: knowledge, minute: minute)])
  }

  func push(_ packet: SyncPacket) throws -> PushAnswer {
    try server.push(packet, account: account)
  }

  /// Seals and sends an operation with one change, and returns its result.
  ///
  /// Returns `nil` if the server holds or refuses the packet.
  @discardableResult
  mutating func send(
    _ change: OperationChange, on row: DataIdentifier = "b1",
    _ identifier: OperationIdentifier? = nil, knowing knowledge: AuthorKnowledge = .init(),
    minute: Int64 = 0
  ) throws -> OperationResult? {
    let packet = seal(change, on: row, identifier, knowing: knowledge, minute: minute)
    return try push(packet).results?.results.last
  }

  // MARK: Pulling

  func request(
    after cursor: Int64 = 0, applied: Int64 = 0, mode: PullMode = .incremental,
    snapshotFloor: Int64? = nil, limit: Int64 = 1000, bytes: Int64 = 1_048_576
  ) -> PullRequest {
    PullRequest(
      scope: Self.scope, epoch: epoch, replica: replica, schemaVersion: schemaVersion,
      cursor: cursor, appliedCursor: applied, mode: mode, snapshotFloor: snapshotFloor,
      limit: limit, maximumBytes: bytes)
  }

  func pull(_ request: PullRequest) throws -> PullAnswer {
    try server.pull(request, account: account)
  }

  /// Pulls the page after a cursor, encodes it, and returns the decoded page.
  ///
  /// Returns `nil` if the server refuses the request.
  func page(
    after cursor: Int64 = 0, limit: Int64 = 1000, bytes: Int64 = 1_048_576
  ) throws -> SyncPage? {
    try pull(request(after: cursor, limit: limit, bytes: bytes)).page
  }

  /// The conflicts that the server stores for the account of the device.
  var conflicts: [SyncConflict] { get throws { try page()?.conflicts ?? [] } }

  /// The values of the rows on the server that are not deleted, by their identifiers.
  var rows: [DataIdentifier: FieldValues] {
    get throws {
      let rows = try page()?.rows ?? []
      return Dictionary(
        uniqueKeysWithValues: rows.compactMap { row in
          row.fields.map { (row.dataIdentifier, $0) }
        })
    }
  }
}

extension PushAnswer {
  var results: PushResults? {
    if case .results(let results) = self { results } else { nil }
  }

  /// The statuses of the results, or `nil` if the server holds or refuses the packet.
  var statuses: [OperationStatus]? { results?.results.map(\.status) }
}

extension PullAnswer {
  /// The page after encoding and decoding, or `nil` if the server refuses the request.
  var page: SyncPage? {
    get throws {
      if case .page(let page) = try PullAnswer(decoding: try encoded()) { page } else { nil }
    }
  }
}

extension FieldValues {
  static func title(_ title: String) -> FieldValues { ["title": .text(title)] }
}
