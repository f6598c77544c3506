import Foundation
import Undercroft
import UndercroftGDBM

/// A benchmark of the inspector program beside `grep` and the shell of SQLite.
struct InspectorContest: Contestant {
  let name = "inspector"
  /// The release build of the program.
  let program: MeasuredProgram

  /// The goals: milliseconds until the program ends, microseconds for a name, and megabytes.
  private static let goals = (
    start: 30.0, firstRow: 150.0, key: 1_000_000.0 / 300_000, memory: 64.0, search: 2.0
  )

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    try starts(clock, in: directory) + keys(clock, in: directory) + files(clock, in: directory)
      + database(clock, in: directory)
  }

  /// Measures a command that reads a store with one value.
  private func starts(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let url = directory.appending(path: "small")
    try LargeStores.fill(.settings(at: url), count: 1)
    let values = try (0..<clock.runs).map { _ in
      try program.seconds(["keys", url.path]) * 1_000
    }
    return [
      Measurement(
        "inspector.start-up", unit: "ms", peerName: nil, ours: values, raw: nil, peer: nil,
        goal: Self.goals.start)
    ]
  }

  private func keys(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let count = clock.isShort ? 10_000 : 1_000_000
    let stores: [(String, (URL) -> BackendChoice)] = [
      ("settings", { .settings(at: $0) }), ("sqlite", { .sqlite(at: $0) }),
      ("gdbm", { .gdbm(at: $0) }),
    ]
    return try stores.map { name, choice in
      let url = directory.appending(path: "keys-\(name)")
      try LargeStores.fill(choice(url), count: count)
      let runs = try (0..<min(3, clock.runs)).map { _ in
        try program.seconds(["keys", url.path, "--format", "ndjson"])
      }
      return Measurement(
        "inspector.keys-\(name)-\(count / 1_000)k", unit: "us/key", peerName: nil,
        ours: runs.map { $0 * 1_000_000 / Double(count) }, raw: nil, peer: nil,
        goal: Self.goals.key)
    }
  }

  private func files(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let url = directory.appending(path: "pages")
    let size = clock.isShort ? 8_000_000 : 1_000_000_000
    try LargeStores.makeFiles(
      in: url, byteCount: size, fileSize: clock.isShort ? 100_000 : 1_000_000)
    return [try search(url, "files", ["-r"], clock)]
  }

  private func database(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let url = directory.appending(path: "books.sqlite")
    let size = clock.isShort ? 20_000_000 : 4_000_000_000
    try LargeStores.makeDatabase(at: url, byteCount: size)
    let shell = MeasuredProgram(path: "sqlite3")
    var (ours, peer): ([Double], [Double]) = ([], [])
    for _ in 0..<clock.runs {
      ours.append(try program.seconds(["rows", url.path, "book", "--limit", "1"]) * 1_000)
      peer.append(
        try shell.seconds(["-readonly", url.path, "SELECT * FROM book LIMIT 1"]) * 1_000)
    }
    let memory = try [
      ["find", url.path, "a text that is nowhere"], ["rows", url.path, "book", "--format", "csv"],
      ["query", url.path, "SELECT count(*), sum(length(note)) FROM book"], ["stat", url.path],
      ["check", url.path],
    ].map { arguments in
      let peak = try program.peakByteCount(arguments) { $0 == 0 || $0 == 1 }
      return Measurement(
        "inspector.memory-\(arguments[0])", unit: "MB", peerName: nil,
        ours: [Double(peak) / 1_000_000], raw: nil, peer: nil, goal: Self.goals.memory)
    }
    return [
      Measurement(
        "inspector.first-row", unit: "ms", peerName: "sqlite3", ours: ours, raw: nil, peer: peer,
        goal: Self.goals.firstRow), try search(url, "sqlite", [], clock),
    ] + memory
  }

  /// Compares the search for a text that is at the end of a store with that of `grep`.
  private func search(
    _ url: URL, _ store: String, _ options: [String], _ clock: Stopwatch
  ) throws -> Measurement {
    let grep = MeasuredProgram(path: "grep")
    var (ours, raw): ([Double], [Double]) = ([], [])
    for _ in 0..<min(5, clock.runs) {
      ours.append(try program.seconds(["find", url.path, LargeStores.needle]) * 1_000)
      // Without -a, grep would stop at the first match in a binary file.
      raw.append(
        try grep.seconds(options + ["-F", "-a", "-o", LargeStores.needle, url.path]) * 1_000)
    }
    return Measurement(
      "inspector.find-\(store)", unit: "ms", peerName: nil, ours: ours, raw: raw, peer: nil,
      goal: Self.goals.search)
  }
}
