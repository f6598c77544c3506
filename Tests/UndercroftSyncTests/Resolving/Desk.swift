import UndercroftCore
import UndercroftSync

/// A server with one row, which resolves the operations of replicas in the order of their arrival.
struct Desk {
  static let now: Int64 = 1_732_000_000_000

  var policy = TablePolicy()
  var floor: Int64 = 0
  var head: Int64 = 0
  var row: ServerRecord?
  private var count = 0

  init(_ policy: TablePolicy = TablePolicy()) { self.policy = policy }

  func resolver(
    _ replica: ReplicaIdentifier,
    validate: @escaping @Sendable (SyncOperation, ServerRecord?) -> OperationRejection? = {
      _, _ in nil
    }
  ) -> OperationResolver {
    OperationResolver(
      replica: replica, now: Self.now, floor: floor, policies: ["book": policy], validate: validate)
  }

  /// Returns an operation on the row.
  ///
  /// - Parameter minute: the time of the operation in minutes after the time one hour before `now`.
  /// - Parameter knowledge: the versions that the author had seen, by default all.
  func operation(
    _ change: OperationChange, minute: Int64 = 0, knowing knowledge: AuthorKnowledge? = nil
  ) -> SyncOperation {
    SyncOperation(
      operationIdentifier: OperationIdentifier("op\(count)"), sequence: 1, table: "book",
      dataIdentifier: "b1", change: change, timestamp: Self.now,
      hybridTimestamp: HybridTimestamp(milliseconds: Self.now - 3_600_000 + minute * 60_000),
      knowledge: knowledge ?? AuthorKnowledge(base: head, seen: head, baseCursor: head))
  }

  /// Resolves a change of a replica, and stores the resulting row.
  ///
  /// - Parameter knowledge: the versions that the author had seen, by default all.
  @discardableResult
  mutating func receive(
    _ change: OperationChange, from replica: ReplicaIdentifier, minute: Int64 = 0,
    knowing knowledge: AuthorKnowledge? = nil
  ) -> Resolution {
    count += 1
    let operation = operation(change, minute: minute, knowing: knowledge)
    let resolution = resolver(replica).resolve(operation, on: row, version: head + 1)
    if let record = resolution.record {
      row = record
      head += 1
    }
    return resolution
  }

  /// Returns a desk whose row the replica "ann" has inserted, and whose title "bob" has changed.
  static func withConcurrentTitle(
    _ policy: TablePolicy = TablePolicy(), minute: Int64 = 2
  ) -> Desk {
    var desk = Desk(policy)
    desk.receive(
      .insert(["title": .text("Dune"), "note": .null], counters: ["loans": 1]), from: "ann")
    desk.receive(.update(["title": .text("Bob's")]), from: "bob", minute: minute)
    return desk
  }

  /// The knowledge of a replica that has seen the insertion of the row and no later change.
  static let insertion = AuthorKnowledge(base: 1, seen: 1, baseCursor: 1)
}
