#if SyncServer
  import Foundation
  import UndercroftCore
  import UndercroftSync

  /// A branch of the library, which sends messages of the protocol without a database.
  struct Branch {
    static let scope: ScopeIdentifier = "library"

    var scope = Self.scope
    var account: String
    var replica: ReplicaIdentifier
    var epoch: Epoch
    private var chain = OperationChain()

    /// Creates a branch that knows the history of the scope.
    init(
      _ account: String, replica: ReplicaIdentifier? = nil, in scope: ScopeIdentifier = Self.scope,
      on server: SyncServer
    ) throws {
      self.account = account
      self.scope = scope
      self.replica = replica ?? ReplicaIdentifier(account)
      epoch = "none"
      let answer = try server.hello(hello, account: account)
      epoch = answer.scopes.first?.epoch ?? "none"
    }

    /// The first request of the branch.
    var hello: HelloRequest {
      HelloRequest(replica: replica, account: account, scopes: [scope], startTime: 1)
    }

    /// The request for the first page of the branch.
    var pull: PullRequest { PullRequest(scope: scope, epoch: epoch, replica: replica) }

    /// Returns a packet with one new book, and adds it to the chain of the branch.
    mutating func seal(
      _ title: String, _ book: DataIdentifier = "b1", schema: Int64 = 1
    ) -> SyncPacket {
      seal(.insert(["title": .text(title)]), book, schema: schema)
    }

    /// Returns a packet with one change, and adds it to the chain of the branch.
    mutating func seal(
      _ change: OperationChange, _ book: DataIdentifier = "b1", schema: Int64 = 1
    ) -> SyncPacket {
      let sequence = chain.count + 1
      let operation = SyncOperation(
        operationIdentifier: OperationIdentifier("\(replica)-\(sequence)"), sequence: sequence,
        table: "book", dataIdentifier: book, change: change,
        timestamp: 1_700_000_000_000,
        hybridTimestamp: HybridTimestamp(milliseconds: 1_700_000_000_000))
      let packet = SyncPacket(
        scope: scope, epoch: epoch, replica: replica, schemaVersion: schema, packet: "p\(sequence)",
        after: chain, operations: [operation])
      chain = packet.chainAfter
      return packet
    }
  }
#endif
