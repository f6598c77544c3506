import UndercroftCore
import UndercroftSQLite

extension ColumnValues {
  /// Returns these values merged with the values of `other`, with one value for each name.
  ///
  /// - Parameters:
  ///   - other: The values to merge.
  ///   - isOverriding: Whether each value of `other` replaces the value with the same name, even if
  ///     the value of `other` is NULL. If `false`, a value of `other` replaces only NULL.
  public func merging(_ other: ColumnValues, overriding isOverriding: Bool = true) -> ColumnValues {
    ColumnValues(
      values.merging(other.values) { entry, other in
        isOverriding || entry == .null ? other : entry
      })
  }

  /// Returns the values of `other` that would replace different values in a merge.
  ///
  /// Names that only `other` contains are ignored.
  ///
  /// - Parameters:
  ///   - other: The values to merge.
  ///   - isOverriding: Whether a merge replaces all different values. If `false`, a merge replaces
  ///     only NULL.
  func changes(merging other: ColumnValues, overriding isOverriding: Bool) -> ColumnValues {
    ColumnValues(
      values.reduce(into: [:]) { changes, entry in
        guard let value = other.values[entry.key], value != entry.value else { return }
        if isOverriding || entry.value == .null { changes[entry.key] = value }
      })
  }

  /// Returns the values of the columns of a table, keyed by the declared names of the columns.
  ///
  /// Values with other names are omitted.
  func restricted(to table: TableDefinition) -> ColumnValues {
    ColumnValues(
      values.reduce(into: [:]) { merged, entry in
        if let column = table.column(entry.key.text) { merged[column.name.exact] = entry.value }
      })
  }
}
