import Foundation

/// A benchmark that compares SQL through the toolkit with the SQLite C library and GRDB, on a table
/// of 100,000 rows.
struct RowContest: Contestant {
  let name = "sqlite-rows"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    var figures: [String: Figures] = [:]
    for run in 0..<clock.runs {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let stores: [(any BookStore.Type, WritableKeyPath<Figures, [Double]>)] = [
        (OurBooks.self, \.ours), (RawBooks.self, \.raw), (GRDBBooks.self, \.peer),
        (BareGRDBBooks.self, \.barePeer),
      ]
      for (number, (type, path)) in stores.enumerated() {
        for (what, time) in try times(type, clock, at: place.appending(path: "\(number)")) {
          figures[what, default: Figures()][keyPath: path].append(time)
        }
      }
      try FileManager.default.removeItem(at: place)
    }
    return figures.sorted { $0.key < $1.key }.flatMap { what, figures in
      let unit = what == "insert" || what == "fetch" ? "us/row" : "us"
      let line = Measurement(
        "sqlite.\(what)", unit: unit, peerName: "GRDB", ours: figures.ours, raw: figures.raw,
        peer: figures.peer)
      guard what == "point-read" else { return [line] }
      let bare = Measurement(
        "sqlite.\(what)-bare", unit: unit, peerName: "GRDB unsafeRead", ours: figures.ours,
        raw: figures.raw, peer: figures.barePeer)
      return [line, bare]
    }
  }

  private struct Figures {
    var ours: [Double] = []
    var raw: [Double] = []
    var peer: [Double] = []
    var barePeer: [Double] = []
  }

  private func times(
    _ type: any BookStore.Type, _ clock: Stopwatch, at url: URL
  ) throws -> [String: Double] {
    let store = try type.init(at: url)
    var times: [String: Double] = [:]
    // A table is filled only once, so this measurement is not repeated within a run.
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
