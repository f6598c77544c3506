import UndercroftCore
import UndercroftSQLite
import UndercroftSync

extension HistoryRun {
  /// Checks the end of a simulated history: all devices show the rows of the server, the queues and
  /// versions of the devices agree with the rows, and no change was lost or applied twice.
  func checkEnd() throws {
    let pages = try plan.shape.scopes.flatMap(server.contents)
    var rows: [SimulatedRowName: PulledRow] = [:]
    for row in pages.flatMap(\.rows) where row.fields != nil {
      rows[SimulatedRowName(table: row.table, identifier: row.dataIdentifier.text)] = row
    }
    for device in sortedDevices {
      try checkRows(of: device, rows)
      try checkBookkeeping(of: device, rows)
    }
    for scope in plan.shape.scopes { try checkClock(of: scope) }
    try checkEffects()
    let conflicts = pages.flatMap(\.conflicts)
    try checkAnswers(to: conflicts)
    let final = try finalState(rows, conflicts)
    try checkSentRows(rows, final)
    try checkCounters(final)
    try checkGroups(final)
    if !server.hasLostTimeline { try user.log.checkLostWrites(final) }
  }

  // MARK: Convergence

  private func checkRows(
    of device: SimulatedDevice, _ rows: [SimulatedRowName: PulledRow]
  ) throws {
    let pulled = Set(plan.shape.pulledTables.map(\.name))
    let rows = rows.filter { pulled.contains($0.key.table) }
    let shown = Dictionary(
      try device.rows().filter { pulled.contains($0.name.table) }
        .map { ($0.name, $0.description) }, uniquingKeysWith: { $1 })
    let expected = rows.mapValues {
      simulatedRow($0, schemaVersion: device.schemaVersion, among: rows).description
    }
    for name in Set(shown.keys).union(expected.keys).sorted(by: { "\($0)" < "\($1)" })
    where shown[name] != expected[name] {
      throw SimulationViolation(
        .convergence,
        """
        device \(device.number) shows \(name) as (\(shown[name] ?? "no row")), but the server has \
        (\(expected[name] ?? "no row"))
        """)
    }
  }

  /// Returns a row of the server as a device with the schema version `schemaVersion` shows it.
  func simulatedRow(
    _ row: PulledRow, schemaVersion: Int, among rows: [SimulatedRowName: PulledRow]
  ) -> SimulatedRow {
    let fields = row.fields ?? [:]
    let table = plan.shape.tables.first { $0.name == row.table }
    var values: [String: String?] = [:]
    for column in table?.values(in: schemaVersion) ?? [] {
      values[column] = fields[ExactString(column)]?.shownText
    }
    let name = SimulatedRowName(table: row.table, identifier: row.dataIdentifier.text)
    var shown = SimulatedRow(name: name, key: .null, values: values, reference: nil, counter: 0)
    if let reference = table?.reference,
      let target = fields[ExactString(reference.column)]?.shownText,
      rows[SimulatedRowName(table: reference.table, identifier: target)] != nil
    {
      shown.reference = target
    }
    if let counter = table?.counter, case .integer(let value)? = fields[ExactString(counter)] {
      shown.counter = value
    }
    return shown
  }

  // MARK: Bookkeeping

  private func checkBookkeeping(
    of device: SimulatedDevice, _ rows: [SimulatedRowName: PulledRow]
  ) throws {
    let pulled = Set(plan.shape.pulledTables.map(\.name))
    let versions = try device.versions().filter { pulled.contains($0.key.table) }
    let expected = rows.filter { pulled.contains($0.key.table) }.mapValues(\.version)
    for name in Set(versions.keys).union(expected.keys).sorted(by: { "\($0)" < "\($1)" })
    where versions[name] != expected[name] {
      let recorded = versions[name].map { "version \($0)" } ?? "no version"
      throw SimulationViolation(
        .bookkeeping,
        """
        device \(device.number) has recorded \(recorded) of the row \(name), but the server has \
        \(expected[name].map { "version \($0)" } ?? "no such row")
        """)
    }
    for query in try remainders(on: device) {
      let count: Int = try device.database.fetchValue(
        SQL(unchecked: "SELECT count(*) FROM \(query)"))
      if count > 0 {
        throw SimulationViolation(
          .bookkeeping,
          """
          the query \(quoted("SELECT count(*) FROM \(query)")) returns \(count) on device \
          \(device.number) after the synchronisation, but must return 0
          """)
      }
    }
  }

  /// Returns the tables of the replica that must be empty on a synchronised device.
  ///
  /// If a `WHERE` clause follows the name of a table, only the rows that meet this clause must not
  /// exist.
  private func remainders(on device: SimulatedDevice) throws -> [String] {
    let tables = try device.database.read(CapturedTable.load)
    return tables.flatMap { [$0.shadowTable, $0.imageTable] } + [
      "sync_to_sync", "sync_absorbed", "sync_to_execute", "sync_blocked", "sync_seen",
      "sync_seen_record", "sync_unknown_column",
      "sync_record WHERE isDeleted",
      "sync_record WHERE primary_key IS NULL",
      "sync_clock WHERE applying <> 0",
    ]
  }

  private func checkClock(of identifier: ScopeIdentifier) throws {
    let scope = try server.store.inspect(identifier) { try $0.scope() }
    guard let scope else { return }
    let limit = context.now + SyncLimits().maximumDrift
    guard scope.hybridTimestamp.milliseconds <= limit else {
      throw SimulationViolation(
        .clock,
        """
        the clock of a device has moved the clock of the server to \
        \(scope.hybridTimestamp.milliseconds) ms since 1970, but the limit is \(limit) ms
        """)
    }
    var digest = ScopeDigest()
    for row in try server.contents(of: identifier).flatMap(\.rows) where row.fields != nil {
      digest.add(table: row.table, row: row.dataIdentifier, version: row.version)
    }
    guard digest == ScopeDigest(count: scope.liveRows, sum: scope.digestSum) else {
      throw SimulationViolation(
        .bookkeeping,
        """
        the server stores the digest \(scope.digestSum) and the row count \(scope.liveRows) for \
        the scope \(quoted(identifier.text)), but the rows of this scope have the digest \
        \(digest.sum) and the row count \(digest.count)
        """)
    }
  }

  // MARK: Effects

  private func checkEffects() throws {
    guard server.counters[.compactions] == 0 else { return }
    for (operation, count) in server.store.effects where count > 1 {
      throw SimulationViolation(
        .exactlyOnce, "the operation \(operation) took effect \(count) times")
    }
  }

  private func checkCounters(_ final: FinalState) throws {
    for (name, row) in final.rows.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let bits = user.log.bits(of: name)
      let isWrong = row.counter < 0 || row.counter & ~bits != 0
      // An answer that restores a row restores its counter. If the server has lost the increments,
      // because a backup was restored, the devices that have made them send them again.
      let isAddedAgain = server.hasLostTimeline && user.log.restoredRows.contains(name)
      if isWrong, !isAddedAgain, server.counters[.compactions] == 0 {
        throw SimulationViolation(
          .exactlyOnce,
          """
          the server has applied an increment of the row \(name) more than once: the counter is \
          0b\(String(row.counter, radix: 2)), but the sum of all increments, each of which adds a \
          different bit, is 0b\(String(bits, radix: 2))
          """)
      }
    }
    guard !server.hasLostTimeline else { return }
    // A row that the answer to a conflict inserts again begins with the default of its counter.
    for increment in user.log.increments
    where !increment.isWithdrawn && !user.log.restoredRows.contains(increment.row) {
      guard let row = final.rows[increment.row], row.counter & increment.bit == 0,
        !user.log.deletedRows.contains(increment.row),
        !final.parkedRows.contains(increment.row)
      else { continue }
      throw SimulationViolation(
        .noLostUpdate,
        """
        the increment 0b\(String(increment.bit, radix: 2)) of \(increment.row) by device \
        \(increment.device) was lost: the counter of the row on the server is \
        0b\(String(row.counter, radix: 2))
        """)
    }
  }

  /// Checks that the server stores no value and no increment of an atomic group that was never
  /// applied, except those that users have restored by answering conflicts.
  private func checkGroups(_ final: FinalState) throws {
    try server.checkGroups(hasCopies: counters[.clones] + counters[.restores] > 0)
    let aborted = server.groups.aborted.subtracting(server.groups.applied)
    let restored = Set(user.log.writes.lazy.filter { $0.answered != nil }.map(\.value))
    for write in user.log.writes where !restored.contains(write.value) {
      guard let group = write.group, aborted.contains(name(of: group, writing: write.row)),
        let column = write.column,
        final.rows[write.row]?.values[column] == write.value
      else { continue }
      throw SimulationViolation(
        .atomicity,
        """
        the server has aborted the group \(quoted(group)), but contains a value that the group \
        wrote: \(write)
        """)
    }
    for increment in user.log.increments {
      guard let group = increment.group,
        aborted.contains(name(of: group, writing: increment.row)),
        let row = final.rows[increment.row], row.counter & increment.bit != 0,
        !user.log.answers.contains(where: {
          $0.row == increment.row && $0.restoredBits & increment.bit != 0
        })
      else { continue }
      throw SimulationViolation(
        .atomicity,
        """
        the server has aborted the group \(quoted(group)), but the counter of \(increment.row) \
        contains the increment 0b\(String(increment.bit, radix: 2)) of the group
        """)
    }
  }

  /// Returns the name of the part of an atomic group that belongs to the scope of a row.
  private func name(of group: String, writing row: SimulatedRowName) -> SimulatedGroups.Name {
    SimulatedGroups.Name(scope: plan.shape.scope(of: row.table), group: group)
  }

  /// Adds to ``counters`` the events that the network, the devices and the server have recorded.
  func countEnd() throws {
    counters.histories = 1
    if plan.shape.scopes.count > 1 { counters[.severalScopes] = 1 }
    if plan.shape == .oneWay { counters[.oneWayScopes] = 1 }
    if plan.hasTwoProcesses { counters[.twoProcesses] = 1 }
    counters[.drops] = network.dropCount
    counters[.duplicates] = network.duplicateCount
    counters[.deviceCrashes] = devices.values.reduce(0) { $0 + $1.crashCount }
    counters.add(server.counters)
    counters[.abortedGroups] = server.groups.aborted.count
    for conflict in try plan.shape.scopes.flatMap(server.contents).flatMap(\.conflicts) {
      counters.conflicts[conflict.kind.rawValue, default: 0] += 1
    }
    for device in sortedDevices {
      try device.database.read { db in
        try db.forEach("SELECT event FROM sync_log") { row in
          let event: String = try row[0]
          if event == "snapshot" { counters[.snapshots] += 1 }
          if event == "reidentified" { counters[.reidentifications] += 1 }
        }
      }
    }
  }
}

extension SyncValue {
  /// The string of a text value, or `nil` for a value of any other type.
  var shownText: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }
}
