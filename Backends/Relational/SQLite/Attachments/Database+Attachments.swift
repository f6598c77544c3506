import CSQLite
public import UndercroftCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Database {
  /// Attaches another database file to every connection, so that reads and writes see both: `SELECT … FROM archive.book`.
  ///
  /// Waits until nobody is inside, because connections are opened anew. Declare what is always needed in ``DatabaseOptions/attachments``.
  /// A write is atomic in each file by itself: when the machine fails while it commits, one file may have it and the other not.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write, for a name in use, and for a file that is seen already.
  public func attach(_ url: URL, as name: String) throws(StorageError) {
    let attachment = Attachment(url, as: name)
    guard location != nil else {
      try attachable { (connection) throws(StorageError) in
        try connection.attach(attachment, options.durability)
        attachments.all.append(attachment)
      }
      return publishReopened()
    }
    try change { $0.append(attachment) }
  }

  /// Lets go of an attached database on every connection.
  ///
  /// - Throws: ``StorageError/Code/misuse`` inside a read or write, and when nothing is attached under the name.
  public func detach(_ name: String) throws(StorageError) {
    guard attachments.all.contains(where: { sqlite3_stricmp($0.name, name) == 0 }) else {
      throw .sqliteMisuse("cannot detach \(quoted(name)): no such database is attached")
    }
    guard location != nil else {
      try attachable { (connection) throws(StorageError) in
        try connection.detach(name)
        attachments.all.removeAll { sqlite3_stricmp($0.name, name) == 0 }
      }
      return publishReopened()
    }
    try change { $0.removeAll { sqlite3_stricmp($0.name, name) == 0 } }
  }

  /// The only connection of a database in memory, outside of any transaction.
  private func attachable(
    _ body: (borrowing Connection) throws(StorageError) -> Void
  ) throws(StorageError) {
    try writing(orThrow: { $0 }) { (connection) throws(StorageError) in
      if connection.isInTransaction { throw Seats.insideTransaction }
      try body(connection)
    }
  }

  /// Closes all connections; those that are opened from now on attach the changed list, if one can be.
  private func change(_ edit: (inout [Attachment]) -> Void) throws(StorageError) {
    guard !seats.isClosed, let location else { throw Seats.closed }
    if seats.isInside, !seats.isOpen { throw Seats.heldClosed }
    let isOutermost = !seats.isInside
    defer { if isOutermost, isOpen { publishReopened() } }
    try seats.whileClosed(orThrow: { $0 }) { () throws(StorageError) in
      openFiles?.forget()
      let before = attachments.all
      edit(&attachments.all)
      do throws(StorageError) {
        _ = try SQLiteHandle.opening(location, attachments.added(to: options).withoutClosures)
      } catch {
        attachments.all = before
        throw error
      }
    }
  }
}
