import UndercroftCore
import UndercroftSync

/// A device that seals operations in the scope "library" and sends them to a server.
struct Device {
  static let scope: ScopeIdentifier = "library"

  let server: SyncServer
  var replica: ReplicaIdentifier
  var account: String
  var chain = OperationChain()
  var resultsThrough: Int64 = 0
  var schemaVersion: Int64 = 1
  private var epoch: Epoch

  /// Creates a device, by default of an account of the same name.
  init(_ replica: ReplicaIdentifier, account: String? = nil, on server: SyncServer) throws {
    self.server = server
    self.replica = replica
    self.account = account ?? replica.text
    epoch = "none"
    try adoptEpoch()
  }

  /// Asks the server for the epoch of the scope.
  mutating func adoptEpoch() throws {
    let hello = HelloRequest(
      replica: replica, account: account, scopes: [Self.scope], startTime: 0)
    if let scope = try server.hello(hello, account: account).scopes.first { epoch = scope.epoch }
  }

  // MARK: Pushing

  /// Returns the next operation of the device's chain, which remains the next one.
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

  /// Seals operations into a packet, and continues the chain.
  mutating func seal(_ operations: [SyncOperation]) -> SyncPacket {
    let packet = packet(operations)
    chain = packet.chainAfter
    return packet
  }

  /// Returns a packet of operations whose numbers are those after the chain.
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

  /// Seals one operation into a packet.
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

  /// Seals and sends one operation, and returns its result.
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

  /// Pulls the page after a cursor, as it is after its way over the wire.
  func page(
    after cursor: Int64 = 0, limit: Int64 = 1000, bytes: Int64 = 1_048_576
  ) throws -> SyncPage? {
    try pull(request(after: cursor, limit: limit, bytes: bytes)).page
  }

  /// The values of the live rows on the server, by their identifiers.
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

  /// The statuses of the results.
  var statuses: [OperationStatus]? { results?.results.map(\.status) }
}

extension PullAnswer {
  /// The page, after its way over the wire.
  var page: SyncPage? {
    get throws {
      if case .page(let page) = try PullAnswer(decoding: try encoded()) { page } else { nil }
    }
  }
}

extension FieldValues {
  static func title(_ title: String) -> FieldValues { ["title": .text(title)] }
}
