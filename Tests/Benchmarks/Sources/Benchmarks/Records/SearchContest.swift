import Foundation

/// A benchmark that fetches the best twenty pages of some full-text searches with snippets, and
/// compares this with the same statement in GRDB.
struct SearchContest: Contestant {
  let name = "search"

  static let queries = [
    "river", "boat river", "stone AND water", "light OR rain", "w12", "w1*", "rain NOT river",
    "\"stone w7\"",
  ]

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let url = directory.appending(path: "search.sqlite")
    let ours = try TablePages(at: url, count: clock.isShort ? 2_000 : 231_000)
    let peer = try GRDBPages(at: url)
    guard try ours.found() == peer.found() else {
      throw BenchmarkFailure("other pages were found")
    }
    var (times, peers): ([Double], [Double]) = ([], [])
    for _ in 0..<clock.runs {
      times.append(try clock.time { _ in clock.keep(try ours.found().count) })
      peers.append(try clock.time { _ in clock.keep(try peer.found().count) })
    }
    return [
      Measurement(
        "search.snippets", unit: "us", peerName: "GRDB ORDER BY rank", ours: times, raw: nil,
        peer: peers)
    ]
  }
}
