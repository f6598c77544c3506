import Foundation
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// A benchmark that compares statements on a synchronised table, whose changes triggers capture,
/// with the same statements on the same table without synchronisation.
struct CaptureContest: Contestant {
  let name = "sync.capture"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let count = clock.isShort ? 1_000 : 20_000
    let templates = Templates(
      synchronised: directory.appending(path: "synchronised"),
      plain: directory.appending(path: "plain"))
    try Self.make(templates, count: count)
    return try CaptureWork.all(rowCount: count, isShort: clock.isShort).map { work in
      var times: (ours: [Double], raw: [Double]) = ([], [])
      for run in 0..<clock.runs {
        // Alternate the order, so that neither is always first.
        for isOurs in run % 2 == 0 ? [true, false] : [false, true] {
          let place = directory.appending(path: "run")
          try Self.copy(isOurs ? templates.synchronised : templates.plain, to: place)
          let time = try Self.time(work, at: place, isSynchronised: isOurs)
          if isOurs { times.ours.append(time) } else { times.raw.append(time) }
          try FileManager.default.removeItem(at: place)
        }
      }
      return Measurement(
        work.name, unit: "us/change", peerName: nil, ours: times.ours, raw: times.raw, peer: nil,
        goal: work.goal)
    }
  }

  /// Folders with a database each, which every run copies.
  private struct Templates {
    let synchronised: URL
    let plain: URL
  }

  private static let file = "library.sqlite"

  /// Creates the databases, and synchronises one of them, because the rows of a table are pending
  /// insertions until they were sent.
  private static func make(_ templates: Templates, count: Int) throws {
    let books = CopiedBook.numbered(1...count)
    for folder in [templates.synchronised, templates.plain] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let database = try CopiedBook.makeDatabase(at: folder.appending(path: file), books)
      if folder == templates.synchronised {
        let peer = MeasuredPeer(SyncServer(of: InMemorySyncStore()))
        try peer.engine(of: database).syncAndWait()
        try CopiedBook.require(
          0, "SELECT count(*) FROM DirtyList", in: database, "changes after synchronising")
      }
      try database.close()
    }
  }

  /// Copies a folder, and writes the copy to the disk.
  ///
  /// Otherwise, the first checkpoint of SQLite would write the whole copy to the disk.
  private static func copy(_ template: URL, to folder: URL) throws {
    try FileManager.default.copyItem(at: template, to: folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let file = try FileHandle(forUpdating: folder.appending(path: name))
      try file.synchronize()
      try file.close()
    }
  }

  /// Returns the microseconds of each change.
  private static func time(
    _ work: CaptureWork, at folder: URL, isSynchronised: Bool
  ) throws -> Double {
    let database = try Database(
      at: folder.appending(path: file), DatabaseOptions(durability: work.durability))
    let duration = try ContinuousClock().measure { try work.run(database) }
    try CopiedBook.require(
      work.changedRows, "SELECT count(*) FROM book WHERE pages >= \(CaptureWork.newPages)",
      in: database, "changed rows")
    if isSynchronised {
      try CopiedBook.require(
        work.changedRows, "SELECT count(*) FROM DirtyList", in: database, "captured changes")
    }
    try database.close()
    return duration / .microseconds(1) / Double(work.changes)
  }
}
