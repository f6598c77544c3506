import UndercroftInspection

/// The slots of a vault as rows.
enum VaultSlotRows {
  static let columns = ["number", "kind", "cost", "memory", "opened"]

  static func values(_ slot: VaultInspection.Slot) -> [ResultValue] {
    [
      ResultValue(slot.number), .text(slot.kind), ResultValue(slot.cost),
      ResultValue(slot.costByteCount), slot.isOpened.map { .boolean($0) } ?? .absent,
    ]
  }

  /// Writes the slots of a vault, which has no secrets.
  static func write(_ slots: [VaultInspection.Slot], _ output: RowArguments) throws {
    try Output.rows(columns, slots.map(values), output)
  }
}
