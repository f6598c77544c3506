import Foundation
import UndercroftCore
import UndercroftSync

/// The server of a replayed history, which can be backed up and restored.
final class ModelServer {
  private let policy: TablePolicy
  private let clock: ModelClock
  private var store = InMemorySyncStore()
  private var backup: InMemorySyncStore?
  private(set) var server: SyncServer

  init(policy name: String, clock: ModelClock) {
    policy =
      switch name {
      case "lww_record": TablePolicy(.lastWriterWinsRecord)
      case "server_wins": TablePolicy(.serverWins)
      case "client_wins": TablePolicy(.clientWins)
      case "ask": TablePolicy(.ask)
      default: TablePolicy(.lastWriterWinsField)
      }
    self.clock = clock
    server = Self.server(on: store, policy, clock)
  }

  private static func server(
    on store: InMemorySyncStore, _ policy: TablePolicy, _ clock: ModelClock
  ) -> SyncServer {
    var limits = SyncLimits()
    limits.heldPackets = 3
    return SyncServer(
      store: store, policies: [ExactString(ModelDevice.table): policy], limits: limits,
      environment: clock.environment)
  }

  func respond(to endpoint: SyncRequest.Endpoint, _ body: Data) throws -> Data {
    try server.respond(
      to: SyncRequest(endpoint, body: body), account: ModelDevice.account)
  }

  func backUp() { backup = InMemorySyncStore(copying: store) }

  func restore() throws {
    guard let backup else { return }
    self.backup = nil
    store = backup
    server = Self.server(on: store, policy, clock)
    try server.restoreEpoch(of: ModelDevice.scope)
  }

  var head: Int64 { get throws { try server.head(of: ModelDevice.scope) ?? 0 } }

  // MARK: State

  /// Returns the scope and the rows above a version in the form that a trace contains.
  func state(after version: Int64 = -1) throws -> JSONValue {
    try store.read(in: ModelDevice.scope) { reader in
      let limit = StoreLimit(count: .max)
      let scope = try reader.scope() ?? StoredScope(epoch: "")
      return .members([
        "head": .digits(scope.head), "floor": .digits(scope.floor),
        "hlc": .digits(scope.hybridTimestamp.rawValue),
        "count": .integer(Int64(try reader.records(after: -1, limit: limit).count)),
        "rows": .array(try reader.records(after: version, limit: limit).map { try Self.row($0) }),
      ])
    }
  }

  private static func row(_ stored: StoredRecord) throws -> JSONValue {
    let record = try ServerRecord(stored)
    let writes = record.writes.mapValues { write -> JSONValue in
      .array([
        .digits(write.version), .digits(write.author.hybridTimestamp.rawValue),
        .string(write.author.replica.text),
      ])
    }
    return .array([
      .string(stored.dataIdentifier.text), .digits(record.version),
      .integer(record.isDeleted ? 1 : 0), .digits(record.hybridTimestamp.rawValue),
      .string(record.writer.text), .values(record.fields), .object(writes),
    ])
  }

  /// Returns all conflicts in the form that a trace contains.
  ///
  /// They are sorted by their JSON text, because their identifiers are random.
  func conflicts() throws -> JSONValue {
    let stored = try store.read(in: ModelDevice.scope) { reader in
      try reader.conflicts(
        of: ModelDevice.account, after: -1, through: .max, limit: StoreLimit(count: .max))
    }
    return .array(
      try stored.map { stored in
        let conflict = try SyncConflict(json: JSONReader.read(stored.body))
        // The model has no counters in conflicts.
        let lost = conflict.values.filter { $0.key != "n" }.mapValues(\.value)
        return .array([
          .integer(stored.version), .string(conflict.kind.rawValue),
          .string(conflict.dataIdentifier.text), .values(lost),
        ])
      }.sortedByText)
  }
}

extension [JSONValue] {
  /// The elements, sorted by their JSON texts.
  var sortedByText: [JSONValue] {
    map { ($0.shown, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
