import Foundation
import UndercroftInspection

extension SyncedStores {
  /// Writes the entries of all databases, and returns the errors of the databases that cannot be
  /// read.
  ///
  /// Columns without a value in any entry are omitted from tables for people.
  func show(
    _ output: RowArguments,
    _ entries: (SyncInspection, URL) throws -> [InspectedSyncEntry]
  ) throws -> [Problem] {
    let encoder = SyncEntryEncoder()
    let (results, problems) = try gather { store, sync, url in
      let isHidden = store.isConfidential || store.isEncrypted
      return try entries(sync, url).map { entry in
        kinds.row(store.kind, encoder.values(entry, isHidden: isHidden))
      }
    }
    let columns = kinds.columns(SyncEntryEncoder.columns)
    let rows = results.flatMap(\.self)
    let used = columns.indices.filter { index in
      !output.format.isForPeople || rows.isEmpty || rows.contains { $0[index] != .absent }
    }
    try Output.rows(
      used.map { columns[$0] }, rows.map { row in used.map { row[$0] } }, output)
    return problems
  }
}

extension RowArguments {
  /// The limit of a query whose result is one row longer if rows are omitted.
  var limitOfQuery: Int? {
    maximumRows.map { $0 == .max ? $0 : $0 + 1 }
  }
}
