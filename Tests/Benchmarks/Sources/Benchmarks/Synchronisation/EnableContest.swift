import Foundation
import Synchronization
import UndercroftSQLite
import UndercroftSync

/// A benchmark that switches synchronisation on for a table that contains rows, while another
/// thread reads the table.
struct EnableContest: Contestant {
  let name = "sync.enable"

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    let count = clock.isShort ? 20_000 : 1_000_000
    let books = CopiedBook.numbered(1...count)
    var seconds: [Double] = []
    var longestReads: [Double] = []
    for run in 0..<min(clock.runs, 3) {
      let place = directory.appending(path: "run-\(run)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let database = try CopiedBook.makeDatabase(at: place.appending(path: "library"), books)
      let peer = MeasuredPeer(SyncServer(of: InMemorySyncStore()))
      let reader = Reader(database, books[count / 2])
      let duration = try ContinuousClock().measure { _ = try peer.engine(of: database) }
      seconds.append(duration / .seconds(1))
      longestReads.append(try reader.stop())
      try CopiedBook.require(
        count, "SELECT count(*) FROM DirtyList", in: database, "pending insertions")
      try database.close()
      try FileManager.default.removeItem(at: place)
    }
    return [
      Measurement(
        "sync.enable", unit: "s", peerName: nil, ours: seconds, raw: nil, peer: nil, goal: 15),
      Measurement(
        "sync.enable-longest-read", unit: "ms", peerName: nil, ours: longestReads, raw: nil,
        peer: nil),
    ]
  }

  /// A thread that reads a row every millisecond.
  private final class Reader: Sendable {
    private struct State {
      var isStopped = false
      var count = 0
      var longest = Duration.zero
      var error: (any Error)?
    }

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)

    init(_ database: Database, _ book: CopiedBook) {
      Thread {
        while !self.state.withLock({ $0.isStopped || $0.error != nil }) {
          self.read(book, in: database)
          usleep(1_000)
        }
        self.end.signal()
      }.start()
    }

    private func read(_ book: CopiedBook, in database: Database) {
      do {
        let start = ContinuousClock.now
        let title: String = try database.fetchValue("SELECT title FROM book WHERE id = \(book.id)")
        let duration = ContinuousClock.now - start
        guard title == book.title else { throw BenchmarkFailure("another title") }
        state.withLock { state in
          state.count += 1
          state.longest = max(state.longest, duration)
        }
      } catch {
        state.withLock { $0.error = error }
      }
    }

    /// Ends the thread, and returns the milliseconds of the longest read.
    func stop() throws -> Double {
      state.withLock { $0.isStopped = true }
      end.wait()
      return try state.withLock { state in
        if let error = state.error { throw error }
        guard state.count > 0 else { throw BenchmarkFailure("no read ended") }
        return state.longest / .milliseconds(1)
      }
    }
  }
}
