package import UndercroftCore

/// The operations of a replica on one row that are not yet part of the pulled row, oldest first.
package struct Overlay: Hashable, Sendable {
  package var changes: [OperationChange]
  /// The default values of the columns that were added to the table after the insertion of a row
  /// was captured.
  ///
  /// The insertion does not send these values. The visible row gets them only if the insertion
  /// creates the row. They never replace values of a pulled row.
  package var addedColumns: FieldValues = [:]

  package init(_ changes: [OperationChange] = []) { self.changes = changes }

  /// Whether the row has unconfirmed operations.
  package var isDirty: Bool { !changes.isEmpty }

  /// Whether the last operation deletes the row.
  package var isDeleted: Bool { changes.last?.kind == .delete }

  /// Returns the row that the application sees, or `nil` if there is none.
  ///
  /// - Parameter shadow: the row of the server that was pulled last, or `nil` if there is none.
  package func fold(over shadow: FieldValues?) -> FieldValues? {
    changes.reduce(shadow) { row, change in
      switch (change.kind, row) {
      case (.delete, _): return nil
      case (.insert, nil):
        var created = change.values
        created.set(change.absolutes)
        return created.merging(addedColumns) { value, _ in value }
      // Another replica has deleted the row, and the server decides about the update.
      case (.update, nil): return nil
      case (.insert, var row?), (.update, var row?):
        row.merge(change.values) { _, new in new }
        row.add(change.increments)
        return row
      }
    }
  }

  /// Returns the columns whose pulled values the application does not see, because an operation
  /// replaces or deletes them.
  ///
  /// - Parameter all: all columns of the table, which an insertion and a deletion hide.
  package func hiddenColumns(of all: Set<ExactString>) -> Set<ExactString> {
    changes.reduce(into: []) { hidden, change in
      hidden.formUnion(change.kind == .update ? Set(change.values.keys) : all)
    }
  }
}
