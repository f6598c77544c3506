import CSQLite
package import UndercroftCore

extension Database {
  /// Puts everything that `source` holds in the place of everything that is here, in one transaction of this very file.
  ///
  /// Others may have the database open: they see it as it was until the end. What observes is told that anything may have changed.
  ///
  /// - Parameter source: a database of the same page size, in which nobody writes.
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write of either; ``StorageError/Code/locked`` when another thread or process
  ///   does not let go in time; nothing is changed then. (`sqlite3_backup_step`)
  package func overwrite(with source: Database) throws(StorageError) {
    defer { publishReopened() }
    try source.reading(orThrow: { $0 }) { (source) throws(StorageError) in
      try source.transaction(orThrow: { $0 }) { (source) throws(StorageError) in
        // The first look settles which state is read.
        _ = try source.integer("SELECT count(*) FROM sqlite_schema")
        try writing(isTransaction: false, orThrow: { $0 }) { (target) throws(StorageError) in
          if target.isInTransaction { throw Seats.insideTransaction }
          // It begins and ends a transaction of its own, for which no statement may be under way.
          target.state.forgetStatements()
          let backup = try Backup(from: source.raw, to: target.raw)
          while try backup.step(-1) {}
        }
      }
    }
  }
}
