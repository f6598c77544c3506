import UndercroftCore
import UndercroftSQLite

extension ColumnValues {
  /// Returns the names of both, and for a name that both have the value that the rule chooses.
  ///
  /// - Parameter isOverriding: whether `other` wins, even with NULL; otherwise its value stands only where there is NULL here.
  public func merging(_ other: ColumnValues, overriding isOverriding: Bool = true) -> ColumnValues {
    ColumnValues(
      values.merging(other.values) { own, other in
        isOverriding || own == .null ? other : own
      })
  }

  /// What changes here by merging: of the names that both have alone.
  func changes(merging other: ColumnValues, overriding isOverriding: Bool) -> ColumnValues {
    ColumnValues(
      values.reduce(into: [:]) { changes, own in
        guard let value = other.values[own.key], value != own.value else { return }
        if isOverriding || own.value == .null { changes[own.key] = value }
      })
  }

  /// Those that are columns of a table, by the names that it gives them.
  func restricted(to table: TableDefinition) -> ColumnValues {
    ColumnValues(
      values.reduce(into: [:]) { kept, own in
        if let column = table.column(own.key.text) { kept[column.name.exact] = own.value }
      })
  }
}
