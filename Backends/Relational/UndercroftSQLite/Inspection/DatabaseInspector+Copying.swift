import CSQLite
import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

extension StoreCopying {
  /// The copying of a database and its journal to one database file.
  static var sqlite: StoreCopying {
    StoreCopying(omittedSuffixes: Array(DatabaseFile.suffixes.dropFirst())) {
      (url, copy) throws(StorageError) in
      let path = try DatabaseFile.path(of: copy)
      try DatabaseInspector(at: url).copy(to: path)
      try Descriptor(opening: path, O_RDONLY).synchronize()
    }
  }
}

extension DatabaseInspector {
  /// Copies the present state of the database, including its journal, to a new database file.
  /// (`sqlite3_backup_step`)
  fileprivate func copy(to path: String) throws(StorageError) {
    try withCurrentView { (view) throws(StorageError) in
      // An earlier attempt may have copied pages of different states.
      unlink(path)
      try view.copy(to: path)
    }
  }
}

extension DatabaseView {
  fileprivate borrowing func copy(to path: String) throws(StorageError) {
    _ = try Descriptor(opening: path, O_CREAT | O_EXCL | O_WRONLY)
    let target = try SQLiteHandle.writable(path)
    // A partial copy is never used, and the complete file is flushed before it is used.
    for sql in ["PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF"] {
      try Statement(sql, on: target.raw).run()
    }
    try connection.storageTransaction { (source) throws(StorageError) in
      // The first statement begins the read, so that all pages belong to the same state.
      _ = try source.integer("SELECT count(*) FROM sqlite_schema")
      let backup = try Backup(from: source.state.raw, to: target.raw)
      while try backup.step(-1) {}
    }
  }
}
