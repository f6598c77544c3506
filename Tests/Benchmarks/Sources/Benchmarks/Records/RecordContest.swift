import Foundation

/// A benchmark that compares declared tables with the C library and GRDB's records, on a table of
/// 100,000 rows.
struct RecordContest: Contestant {
  let name = "relational"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    var figures: [String: [[Double]]] = [:]
    var byPosition: [Double] = []
    for run in 0..<clock.runs {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let stores: [any RecordStore.Type] = [TableBooks.self, RawBooks.self, GRDBRecords.self]
      for (number, type) in stores.enumerated() {
        for (what, time) in try times(type, clock, at: place.appending(path: "\(number)")) {
          figures[what, default: [[], [], []]][number].append(time)
        }
      }
      let rows = try GRDBBooks(at: place.appending(path: "rows"))
      try rows.insert(Book.all)
      byPosition.append(
        try clock.time(perCall: Book.count) { _ in clock.keep(try rows.fetchAll().count) })
      try FileManager.default.removeItem(at: place)
    }
    return figures.sorted { $0.key < $1.key }.flatMap { what, times in
      let unit = what == "insert" || what.hasPrefix("fetch") ? "us/row" : "us"
      let line = Measurement(
        "relational.\(what)", unit: unit, peerName: Self.peers[what], ours: times[0],
        raw: times[1], peer: times[2])
      guard what == "fetch" else { return [line] }
      let rows = Measurement(
        "relational.fetch-beside-rows", unit: unit, peerName: "GRDB rows by position",
        ours: times[0], raw: times[1], peer: byPosition)
      return [line, rows]
    }
  }

  private static let peers = [
    "insert": "GRDB hand-written record", "fetch": "GRDB Codable record",
    "fetch-codable": "GRDB Codable record", "point-read": "GRDB fetchOne(key:)",
    "point-update": "GRDB cached statement",
  ]

  private func times(
    _ type: any RecordStore.Type, _ clock: Stopwatch, at url: URL
  ) throws -> [String: Double] {
    let store = try type.init(at: url)
    var times: [String: Double] = [:]
    let insert = try ContinuousClock().measure { try store.insert(Book.all) }
    times["insert"] = insert / .microseconds(1) / Double(Book.count)
    guard try store.fetchAll() == Book.all, try store.fetchCodable() == Book.all else {
      throw BenchmarkFailure("other rows came back")
    }
    times["fetch"] = try clock.time(perCall: Book.count) { _ in
      clock.keep(try store.fetchAll().count)
    }
    times["fetch-codable"] = try clock.time(perCall: Book.count) { _ in
      clock.keep(try store.fetchCodable().count)
    }
    times["point-read"] = try clock.time {
      clock.keep(Int(try store.find(Book.key($0))?.pages ?? 0))
    }
    times["point-update"] = try clock.time { try store.update(Book.key($0), price: Double($0)) }
    guard try store.find(Book.key(0)) != nil else { throw BenchmarkFailure("no book") }
    return times
  }
}
