import Foundation
import Undercroft

/// The stored changelogs of packages: a blob for each changelog,
/// and a row with the size and modification time of its file.
struct Changelogs {
  let storage: Storage
  let packages: PackageDataCenter

  struct Changes: Equatable {
    var count = 0
    var written = 0
    var removed = 0
  }

  /// Updates the blobs to match the files, and copies only
  /// files whose size or modification time has changed.
  ///
  /// A blob is written before its row, and removed before its row. After
  /// an interruption, a blob may have no row or an old row, or a row may
  /// have no blob. The next call detects and corrects these cases.
  func replace(by files: [ChangelogFile], _ progress: ImportProgress) throws -> Changes {
    let records = try packages.changelogs()
    let present = Set(try storage.names(of: .blob))
    var seen: Set<String> = []
    var changes = Changes()
    for file in files {
      try progress.step("changelogs", seen.count)
      let isCurrent = records[file.name] == file.record && present.contains(file.name)
      if !isCurrent {
        guard try copy(file) else { continue }
        changes.written += 1
      }
      seen.insert(file.name)
    }
    for name in present.union(records.keys).subtracting(seen) {
      try progress.step("removed changelogs", changes.removed)
      try remove(name)
      changes.removed += 1
    }
    changes.count = seen.count
    return changes
  }

  /// Copies a file in chunks, so that the changelog is never completely in memory.
  ///
  /// - Returns: whether the file could be opened.
  private func copy(_ source: ChangelogFile) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: source.path) else { return false }
    defer { try? file.close() }
    try storage.withWriter(for: .changelog(source.name)) { writer in
      while let chunk = try file.read(upToCount: 64 << 10), !chunk.isEmpty {
        try writer.write(chunk)
      }
    }
    try packages.save(source.record)
    return true
  }

  private func remove(_ name: String) throws {
    try storage.remove(.changelog(name))
    try packages.deleteChangelog(name)
  }
}

extension ChangelogFile {
  fileprivate var record: ChangelogRecord {
    ChangelogRecord(name: name, size: size, modified: modified)
  }
}
