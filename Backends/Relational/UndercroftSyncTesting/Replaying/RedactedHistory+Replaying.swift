import UndercroftCore
import UndercroftSQLite
import UndercroftSync

extension RedactedHistory {
  /// The result of a replayed history.
  public struct Outcome: Sendable, Hashable {
    /// The number of replayed operations that the first device has sent to the server.
    public let operations: Int
    /// The number of rows that each of the two devices of the replay shows at the end.
    public let rows: Int
  }

  /// Performs the operations of the exported queue with invented values on a new device, and
  /// synchronises this device with a second new device through a server.
  ///
  /// Rows that the operations change but do not insert are created first. Each invented value is a
  /// text that contains the fingerprint of the original value, so equal values remain equal. The
  /// condition of a batch is replaced by the identifiers of the rows that the batch changed.
  ///
  /// - Throws: ``SimulationViolation`` if the devices show different rows at the end.
  public func replay() throws -> Outcome {
    let replay = try HistoryReplay(self)
    return try replay.run()
  }
}

/// The execution of a redacted history.
private struct HistoryReplay {
  private static let scope: ScopeIdentifier = "replay"
  private static let account = "reader"

  let history: RedactedHistory
  let server: SyncServer
  let devices: [Replica]

  init(_ history: RedactedHistory) throws {
    self.history = history
    let context = SimulationContext(mutations: [])
    let environment = context.environment(skew: 0)
    server = SyncServer(store: InMemorySyncStore(), environment: environment)
    devices = try (0..<2).map { _ in
      let database = try Database.inMemory(context.options(skew: 0))
      try database.write { db in
        for table in history.tables { try Self.create(table, in: db) }
      }
      try SyncSchema.add(
        history.tables.map { table in
          SyncedTable(
            table.table, counters: table.columns.filter { $0.value == "counter" }.map(\.key))
        }, toScope: Self.scope, account: Self.account, in: database, environment: environment,
        expressions: .simulated)
      return Replica(database: database, scope: Self.scope, environment: environment)
    }
  }

  /// Creates a table with the columns of an exported table, and with fingerprints as keys.
  private static func create(_ table: RedactedHistory.Table, in db: Connection) throws {
    let columns = table.columns.keys.sorted().map { column -> SQL in
      table.columns[column] == "counter"
        ? ", \(identifier: column) INTEGER NOT NULL DEFAULT 0" : ", \(identifier: column)"
    }
    // A key column must not have the name of another column.
    var key = "key"
    while table.columns[key] != nil { key += "_" }
    try db.execute(
      """
      CREATE TABLE \(identifier: table.table)(
        \(identifier: key) TEXT PRIMARY KEY NOT NULL\(columns.joined(separator: "")))
      """)
  }

  func run() throws -> RedactedHistory.Outcome {
    try createRows()
    for device in devices { try synchronise(device) }
    for operation in history.operations where operation.batch == nil { try repeats(operation) }
    let sent = try synchronise(devices[0])
    for device in [devices[1], devices[0]] { try synchronise(device) }
    let shown = try devices.map(rows)
    guard shown[0] == shown[1] else {
      let position = zip(shown[0], shown[1]).prefix { $0 == $1 }.count
      let different = shown.map { $0.dropFirst(position).first.map(quoted) ?? "no row" }
      throw SimulationViolation(
        .convergence,
        """
        the two devices of the replayed history show different rows: the first device shows \
        \(shown[0].count) rows in total, and the second device shows \(shown[1].count) rows in \
        total; at position \(position + 1) of the sorted rows, the first device shows \
        \(different[0]), but the second device shows \(different[1])
        """)
    }
    return RedactedHistory.Outcome(operations: sent, rows: shown[0].count)
  }

  /// Creates the rows that the operations change but do not insert.
  private func createRows() throws {
    var known: Set<String> = []
    for operation in history.operations where operation.batch == nil {
      for row in operation.rows ?? [operation.row].compactMap({ $0 })
      where known.insert("\(operation.table)/\(row)").inserted && operation.kind != "insert" {
        try devices[0].perform(.create(operation.table, DataIdentifier(row), [:]))
      }
    }
  }

  private func repeats(_ operation: RedactedHistory.Operation) throws {
    let table = history.tables.first { $0.table == operation.table }
    guard let table else { return }
    var values: FieldValues = [:]
    for (column, value) in operation.set ?? [:] where table.columns[column] != nil {
      values[ExactString(column)] = value.print.map { .text("\(value.type) \($0)") } ?? .null
    }
    let device = devices[0]
    if let rows = operation.rows {
      let condition = RowCondition.identifiers(Set(rows.map { DataIdentifier($0) }))
      try device.perform(
        operation.kind == "delete"
          ? .delete(operation.table, where: condition)
          : .update(operation.table, where: condition, values))
      return
    }
    guard let kind = operation.kind, let row = operation.row.map({ DataIdentifier($0) }) else {
      return
    }
    let visible = try device.explain(row, in: operation.table).visibleValues
    for counter in operation.inc ?? [] where table.columns[counter] == "counter" {
      let name = ExactString(counter)
      values[name] = visible?[name] ?? .integer(0)
      values.add([name: 1])
    }
    switch kind {
    case "delete": try device.perform(.delete(operation.table, row))
    case _ where visible != nil: try device.perform(.update(operation.table, row, values))
    default: try device.perform(.create(operation.table, row, values))
    }
  }

  /// Synchronises a device twice, and returns the number of operations that the device has sent.
  @discardableResult
  private func synchronise(_ device: Replica) throws -> Int {
    var count = 0
    for _ in 0..<2 {
      try pull(device)
      _ = try device.seal(limit: .max)
      while true {
        let packets = try device.packets(operations: 100, bytes: 1 << 20)
        guard let packet = packets.first else { break }
        count += packet.operations.count
        try device.accept(try server.push(packet, account: Self.account), for: packet)
      }
    }
    return count
  }

  private func pull(_ device: Replica) throws {
    for _ in 0..<10_000 {
      let request = try device.pullRequest(limit: 1_000)
      let answer = try server.pull(request, account: Self.account)
      try device.accept(answer, for: request)
      while try device.execute(limit: 1_000) > 0 {}
      if case .page(let page) = answer, !page.hasMore { return }
    }
  }

  /// Returns all rows of a device as texts.
  private func rows(_ device: Replica) throws -> [String] {
    try device.database.read { db in
      try history.tables.flatMap { table in
        let columns = table.columns.keys.sorted().map { column -> SQL in
          "coalesce(\(identifier: column), '-')"
        }
        let shown = (["''"] + columns).joined(separator: " || ' ' || ")
        return try db.fetchAll(
          "SELECT \(shown) AS shown FROM \(identifier: table.table) ORDER BY shown"
        ) { row in "\(table.table) \(try row[0] as String)" }
      }
    }
  }
}
