import Foundation
import UndercroftFileSystem
import UndercroftInspection

/// The check for files that interrupted writes have left.
///
/// The files are reported and never changed: the next application that opens the store removes
/// them, or restores the database from them. A temporary folder of this tool is removed when the
/// command is repeated.
struct LeftoverCheck {
  private static let journalSuffix = "-journal"
  /// The first bytes of a rollback journal whose transaction has not ended (SQLite file format,
  /// section 3).
  private static let hotJournalStart = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])

  let files: [StoreFile]
  let locks: HeldLocks

  func findings() -> [Finding] {
    files.compactMap { temporary($0) ?? staged($0) ?? journal($0) ?? damaged($0) }
  }

  private func temporary(_ file: StoreFile) -> Finding? {
    guard TemporaryName.matches(name(of: file)) else { return nil }
    // A writer locks its temporary file until the writer ends.
    guard locks.on(file).isEmpty else { return written(file) }
    guard file.isRegular else {
      return Finding(
        .warning, "temporary folder", "a command that was interrupted left \(file.path)",
        suggestion: "repeat the command, or rm -r \(ShellText.shown(file.path))")
    }
    return left(file)
  }

  /// Returns the finding for a new value of a batch that was not committed.
  private func staged(_ file: StoreFile) -> Finding? {
    guard TemporaryName.isStaged(name(of: file)) else { return nil }
    let folder = Folder.parent(of: file.path)
    // A committed batch needs the file, which the next writer moves into place.
    guard StoreFile(folder + "/" + TemporaryName.batch) == nil else { return nil }
    // The writer does not lock the file, but the folder.
    let lock = StoreFile(folder + "/" + TemporaryName.lock)
    let isLocked = lock.map { !locks.on($0).isEmpty } ?? false
    return isLocked ? written(file) : left(file)
  }

  private func written(_ file: StoreFile) -> Finding {
    Finding(.note, "temporary file", "a process is writing \(file.path)")
  }

  private func left(_ file: StoreFile) -> Finding {
    Finding(
      .warning, "temporary file",
      "a writer that was interrupted left \(file.path) (\(ByteText.readable(file.byteCount)))",
      suggestion: "open the store with its application, which removes the file")
  }

  private func journal(_ file: StoreFile) -> Finding? {
    guard file.path.hasSuffix(Self.journalSuffix), file.isRegular, file.byteCount > 0,
      let database = StoreFile(String(file.path.dropLast(Self.journalSuffix.count))),
      start(of: file) == Self.hotJournalStart
    else { return nil }
    guard locks.on(database).isEmpty else {
      return Finding(.note, "journal", "a transaction is in progress: \(file.path)")
    }
    return Finding(
      .warning, "journal",
      "a transaction was interrupted, and its journal is needed to undo it: \(file.path)",
      suggestion: """
        open the database with its application, which undoes the transaction; do not remove the \
        journal
        """)
  }

  private func damaged(_ file: StoreFile) -> Finding? {
    guard name(of: file).contains(/\.damaged-[1-9]$/) else { return nil }
    return Finding(
      .warning, "damaged file", "a damaged file was preserved as \(file.path)",
      suggestion: "compare the store with a backup, then rm \(ShellText.shown(file.path))")
  }

  private func name(of file: StoreFile) -> String { (file.path as NSString).lastPathComponent }

  private func start(of file: StoreFile) -> Data? {
    guard let handle = FileHandle(forReadingAtPath: file.path) else { return nil }
    defer { try? handle.close() }
    return try? handle.read(upToCount: Self.hotJournalStart.count)
  }
}
