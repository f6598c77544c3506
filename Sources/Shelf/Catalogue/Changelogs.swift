import Foundation
import Undercroft
import UndercroftCore
import UndercroftSQLite

/// The changelogs that packages install, kept as blobs.
struct Changelogs {
  let storage: Storage
  let rows: PackageRows

  struct Changes: Equatable {
    var count = 0
    var written = 0
    var removed = 0

    var isNothing: Bool { written == 0 && removed == 0 }
  }

  /// Makes the blobs equal to the files under `directory`, copying only those that differ in size or time.
  func replace(by directory: String, _ progress: ImportProgress) throws -> Changes {
    var known: [String: [Int64]] = [:]
    try rows.database.read { db in
      try db.forEach("SELECT name, size, modified FROM changelog") { row in
        known[try row[0] as String] = [try row[1] as Int64, try row[2] as Int64]
      }
    }
    var changes = Changes()
    for (name, path) in Self.files(in: directory) {
      try progress.step("changelogs", changes.count)
      // A file that is gone or not ours to read is none of the catalogue's.
      guard FileManager.default.isReadableFile(atPath: path), let look = Self.look(of: path) else {
        continue
      }
      changes.count += 1
      if known.removeValue(forKey: name) == look { continue }
      try copy(path, to: name)
      try rows.database.write { db in
        try db.execute(
          "INSERT OR REPLACE INTO changelog(name, size, modified) VALUES (\(name), \(look[0]), \(look[1]))"
        )
      }
      changes.written += 1
    }
    for name in known.keys {
      try storage.remove(.changelog(name))
      try rows.database.write { db in
        try db.execute("DELETE FROM changelog WHERE name = \(name)")
      }
      changes.removed += 1
    }
    return changes
  }

  /// Chunk by chunk: a changelog is never whole in memory.
  private func copy(_ path: String, to name: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw InputError.unreadable(path: path, reason: "it cannot be opened")
    }
    defer { try? file.close() }
    try storage.writer(for: .changelog(name)) { writer in
      while let chunk = try file.read(upToCount: 64 << 10), !chunk.isEmpty {
        try writer.write(chunk)
      }
    }
  }

  /// The size and the time of the last change, in microseconds; `nil` for what is no regular file.
  private static func look(of path: String) -> [Int64]? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? NSNumber,
      let modified = attributes?[.modificationDate] as? Date
    else { return nil }
    return [size.int64Value, Int64(modified.timeIntervalSince1970 * 1_000_000)]
  }

  private static func files(in directory: String) -> [(name: String, path: String)] {
    let manager = FileManager.default
    var files: [(String, String)] = []
    for package in (try? manager.contentsOfDirectory(atPath: directory))?.sorted() ?? [] {
      let folder = directory + "/" + package
      for name in (try? manager.contentsOfDirectory(atPath: folder))?.sorted() ?? []
      where name.hasPrefix("changelog") && name.hasSuffix(".gz") {
        files.append(("\(package)/\(name)", folder + "/" + name))
      }
    }
    return files
  }
}
