import Foundation

/// The engine beside SQLite's own calls, on a table of a hundred thousand rows.
struct RowContest: Contestant {
  let name = "sqlite-rows"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    var ours: [String: [Double]] = [:]
    var raw: [String: [Double]] = [:]
    for run in 0..<clock.runs {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for (what, time) in try times(OurBooks.self, clock, at: place.appending(path: "ours")) {
        ours[what, default: []].append(time)
      }
      for (what, time) in try times(RawBooks.self, clock, at: place.appending(path: "raw")) {
        raw[what, default: []].append(time)
      }
      try FileManager.default.removeItem(at: place)
    }
    return ours.sorted { $0.key < $1.key }.map { what, ours in
      Measurement(
        "sqlite.\(what)", unit: what == "insert" || what == "fetch" ? "us/row" : "us",
        peerName: nil, ours: ours, raw: raw[what], peer: nil)
    }
  }

  private func times(
    _ type: any BookStore.Type, _ clock: Stopwatch, at url: URL
  ) throws -> [String: Double] {
    let store = try type.init(at: url)
    var times: [String: Double] = [:]
    // A table is filled but once, so this one figure is not repeated within a run.
    let insert = try ContinuousClock().measure { try store.insert(Book.all) }
    times["insert"] = insert / .microseconds(1) / Double(Book.count)
    guard try store.fetchAll() == Book.all else { throw BenchmarkFailure("other rows came back") }
    times["fetch"] = try clock.time(perCall: Book.count) { _ in
      clock.keep(try store.fetchAll().count)
    }
    times["point-read"] = try clock.time {
      clock.keep(Int(try store.find(Book.key($0))?.pages ?? 0))
    }
    times["point-update"] = try clock.time { try store.update(Book.key($0), price: Double($0)) }
    times["empty-read"] = try clock.time { _ in try store.emptyRead() }
    return times
  }
}
