import UndercroftInspection

extension InspectedTable {
  /// Whether the rows are stored by a module and not in a table. (`CREATE VIRTUAL TABLE`)
  var isVirtual: Bool { definition.lowercased().hasPrefix("create virtual table") }
}
