import Foundation
import Undercroft
import UndercroftCore
import UndercroftSQLite

/// The changelogs that packages install, kept as blobs; how their files looked is kept as rows.
struct Changelogs {
  let storage: Storage
  let rows: PackageRows

  struct Changes: Equatable {
    var count = 0
    var written = 0
    var removed = 0
  }

  /// Makes the blobs equal to the files, copying only those that differ in size or time.
  ///
  /// A blob is written before its row and removed before it, so that after any interruption a row has its blob or is
  /// found out here.
  func replace(by files: [ChangelogFile], _ progress: ImportProgress) throws -> Changes {
    let looks = try kept()
    let present = Set(try storage.keys(of: .blob))
    var seen: Set<String> = []
    var changes = Changes()
    for file in files {
      try progress.step("changelogs", seen.count)
      let isKept = looks[file.name] == [file.size, file.modified] && present.contains(file.name)
      if !isKept {
        guard try copy(file) else { continue }
        changes.written += 1
      }
      seen.insert(file.name)
    }
    for name in present.union(looks.keys).subtracting(seen) {
      try progress.step("removed changelogs", changes.removed)
      try remove(name)
      changes.removed += 1
    }
    changes.count = seen.count
    return changes
  }

  /// Returns size and time of each file, when it was copied.
  private func kept() throws -> [String: [Int64]] {
    var looks: [String: [Int64]] = [:]
    try rows.database.read { db in
      try db.forEach("SELECT name, size, modified FROM changelog") { row in
        looks[try row[0] as String] = [try row[1] as Int64, try row[2] as Int64]
      }
    }
    return looks
  }

  /// Copies chunk by chunk, so that a changelog is never whole in memory, and returns whether the file was there.
  private func copy(_ source: ChangelogFile) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: source.path) else { return false }
    defer { try? file.close() }
    try storage.writer(for: .changelog(source.name)) { writer in
      while let chunk = try file.read(upToCount: 64 << 10), !chunk.isEmpty {
        try writer.write(chunk)
      }
    }
    try rows.database.write { db in
      try db.execute(
        """
        INSERT OR REPLACE INTO changelog(name, size, modified)
        VALUES (\(source.name), \(source.size), \(source.modified))
        """)
    }
    return true
  }

  private func remove(_ name: String) throws {
    try storage.remove(.changelog(name))
    try rows.database.write { db in
      try db.execute("DELETE FROM changelog WHERE name = \(name)")
    }
  }
}
