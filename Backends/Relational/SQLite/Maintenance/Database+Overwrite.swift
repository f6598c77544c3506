import CSQLite
import Synchronization
package import UndercroftCore
import UndercroftFileSystem

extension Database {
  /// Puts everything that `source` holds in the place of everything that is here, in one transaction of this very file.
  ///
  /// Others may have the database open: they see it as it was until the end. What observes is told that anything may have changed.
  ///
  /// - Parameters:
  ///   - source: a database of the same page size, in which nobody writes. It is not locked while this one is waited for.
  ///   - lockTimeout: how long to wait for others that write; `nil` for as long as every write does.
  ///   - isWanted: asked when nobody else can write any more and nothing is written yet; it may read the file by a connection of its own.
  /// - Returns: `false` when it was not wanted, and nothing was changed.
  /// - Throws: what `isWanted` throws, unchanged; ``StorageError/Code/misuse`` inside a read or write of either; ``StorageError/Code/locked``
  ///   when another thread or process does not let go in time; nothing is changed then. (`sqlite3_backup_step`)
  @discardableResult
  package func overwrite(
    with source: Database, lockTimeout: Duration? = nil, if isWanted: () throws -> Bool = { true }
  ) throws -> Bool {
    defer { publishReopened() }
    let deadline = ContinuousClock.now + (lockTimeout ?? options.lockTimeout)
    return try source.reading(orThrow: { $0 as any Error }) { source in
      try writing(isTransaction: false, orThrow: { $0 as any Error }) { target in
        if source.isInTransaction || target.isInTransaction { throw Seats.insideTransaction }
        // It begins and ends a transaction of its own, for which no statement may be under way.
        target.state.forgetStatements()
        let backup = try Backup(from: source.raw, to: target.raw)
        // The source is locked during each try: whoever replaces it, holding this file, would wait for us and we for him.
        target.state.busyPolicy.patience = .zero
        defer { target.state.busyPolicy.patience = nil }
        while try !backup.lock() {
          guard ContinuousClock.now < deadline else { throw backup.locked }
          usleep(2_000)
        }
        guard try isWanted() else { return false }
        while try backup.step(-1) {}
        // What is known of the values and tables of the file was known of another content.
        seats.generation.add(1, ordering: .relaxed)
        return true
      }
    }
  }

  /// Throws unless the file that is open is still the one at its place.
  package func requirePlace() throws(StorageError) { try openFiles?.require() }
}
