import Foundation
import Undercroft
import UndercroftCore

/// The changelogs that packages install, kept as blobs; how their files looked is kept as rows.
struct Changelogs {
  let storage: Storage
  let packages: PackageDataCenter

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
    let looks = try packages.changelogs()
    let present = Set(try storage.keys(of: .blob))
    var seen: Set<String> = []
    var changes = Changes()
    for file in files {
      try progress.step("changelogs", seen.count)
      let isKept = looks[file.name] == file.record && present.contains(file.name)
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

  /// Copies chunk by chunk, so that a changelog is never whole in memory, and returns whether the file was there.
  private func copy(_ source: ChangelogFile) throws -> Bool {
    guard let file = FileHandle(forReadingAtPath: source.path) else { return false }
    defer { try? file.close() }
    try storage.writer(for: .changelog(source.name)) { writer in
      while let chunk = try file.read(upToCount: 64 << 10), !chunk.isEmpty {
        try writer.write(chunk)
      }
    }
    try packages.keep(source.record)
    return true
  }

  private func remove(_ name: String) throws {
    try storage.remove(.changelog(name))
    try packages.forgetChangelog(name)
  }
}

extension ChangelogFile {
  fileprivate var record: ChangelogRecord {
    ChangelogRecord(name: name, size: size, modified: modified)
  }
}
