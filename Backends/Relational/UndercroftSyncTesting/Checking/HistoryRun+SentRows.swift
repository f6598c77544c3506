import UndercroftSync

extension HistoryRun {
  /// Checks that the server has the rows of all devices in the tables that are only sent, and no
  /// others.
  ///
  /// Each of these rows belongs to one device, unless a file was copied. A device retains a row
  /// whose change the server has refused as too old, and stores a conflict.
  func checkSentRows(_ rows: [SimulatedRowName: PulledRow], _ final: FinalState) throws {
    let sent = Set(plan.shape.tables.map(\.name)).subtracting(plan.shape.pulledTables.map(\.name))
    guard !sent.isEmpty, counters[.clones] + counters[.restores] == 0, !server.hasLostTimeline
    else { return }
    let shown = Dictionary(
      try sortedDevices.flatMap { device in
        try device.rows().filter { sent.contains($0.name.table) }.map { row in
          (row.name, (device: device, line: row.description))
        }
      }, uniquingKeysWith: { $1 })
    let stored = rows.filter { sent.contains($0.key.table) }
    for name in Set(shown.keys).union(stored.keys).sorted(by: { "\($0)" < "\($1)" }) {
      let text = stored[name].map { row in
        let version = shown[name]?.device.schemaVersion ?? 2
        return simulatedRow(row, schemaVersion: version, among: rows).description
      }
      guard shown[name]?.line != text, !final.parkedRows.contains(name) else { continue }
      throw SimulationViolation(
        .convergence,
        """
        \(shown[name].map { "device \($0.device.number) has sent the row \($0.line)" }
          ?? "no device has the row \(name)"), but the server has \(text ?? "no such row")
        """)
    }
  }
}
