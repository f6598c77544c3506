import UndercroftCore
import UndercroftFoundation
public import UndercroftInspection

extension StoreInspectorFactory {
  /// The factory that opens SQLite databases for inspection without changing them, whether this
  /// toolkit or another program created them.
  public static var sqlite: StoreInspectorFactory {
    StoreInspectorFactory(
      scheme: SQLiteBackend.name,
      reader: { (url) throws(StorageError) in try DatabaseSource.start(ofFile: url) },
      recognises: { DatabaseSource.isDatabase($0.start) },
      open: { (url, _) throws(StorageError) in try DatabaseInspector(at: url) }
    ).with(library: "SQLite \(SQLiteLibrary.current.version)").with(log: .writeAheadLog)
      .with(editing: { (url, _, timeout) throws(StorageError) in
        try StorageError.reportingBusy { () throws(StorageError) in
          try SQLiteBackend(at: url, DatabaseOptions(lockTimeout: timeout))
        }
      })
      .with(copying: .sqlite)
      .with(headerReport: { DatabaseHeader.report(on: $0) })
      .with(locking: { (url, _) throws(StorageError) in
        try DatabaseInspector(at: url, isLocked: true)
      })
  }
}
