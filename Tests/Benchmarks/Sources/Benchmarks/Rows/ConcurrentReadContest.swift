import Foundation
import Synchronization

/// A benchmark in which four threads read by key while a fifth thread writes: total microseconds
/// divided by the number of reads.
struct ConcurrentReadContest: Contestant {
  let name = "sqlite-concurrent-read"

  private static let readerCount = 4

  func measure(_ clock: Stopwatch, in directory: URL) throws -> [Measurement] {
    var figures: [[Double]] = [[], [], []]
    for run in 0..<clock.runs {
      for (number, type) in [
        OurBooks.self, RawBookShelf.self, GRDBBooks.self,
      ].enumerated() as EnumeratedSequence<[any BookStore.Type]> {
        let place = directory.appending(path: "run-\(run)-\(number)")
        figures[number].append(try time(type, clock, at: place))
      }
    }
    return [
      Measurement(
        "sqlite.concurrent-read", unit: "us", peerName: "GRDB", ours: figures[0], raw: figures[1],
        peer: figures[2])
    ]
  }

  private func time(
    _ type: any BookStore.Type, _ clock: Stopwatch, at url: URL
  ) throws -> Double {
    let store = Shared(try type.init(at: url))
    try store.value.insert(Book.all)
    let isOver = Atomic<Bool>(false)
    let reads = Atomic<Int>(0)
    let failures = Atomic<Int>(0)
    let group = DispatchGroup()
    let start = ContinuousClock.now
    for reader in 0..<Self.readerCount {
      spawn(in: group) {
        var count = 0
        while !isOver.load(ordering: .relaxed) {
          let book = try? store.value.find(Book.key(count &+ reader &* 31_337))
          if book == nil { failures.add(1, ordering: .relaxed) }
          count += 1
        }
        reads.add(count, ordering: .relaxed)
      }
    }
    spawn(in: group) {
      var count = 0
      while !isOver.load(ordering: .relaxed) {
        if (try? store.value.update(Book.key(count), price: Double(count))) == nil {
          failures.add(1, ordering: .relaxed)
        }
        count += 1
        usleep(1_000)
      }
    }
    usleep(UInt32(clock.span * 3 / .microseconds(1)))
    isOver.store(true, ordering: .relaxed)
    group.wait()
    let took = ContinuousClock.now - start
    guard failures.load(ordering: .relaxed) == 0 else { throw BenchmarkFailure("a call failed") }
    return took / .microseconds(1) / Double(reads.load(ordering: .relaxed))
  }

  private func spawn(in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
    group.enter()
    Thread {
      work()
      group.leave()
    }.start()
  }
}

/// A wrapper that passes a store to several threads; all measured stores can be used by several
/// threads.
private struct Shared: @unchecked Sendable {
  let value: any BookStore

  init(_ value: any BookStore) { self.value = value }
}

/// A store with one raw connection for each thread, without a connection pool.
final class RawBookShelf: BookStore {
  private let url: URL
  private let key = "books"

  init(at url: URL) throws {
    self.url = url
    _ = try books(making: true)
  }

  private func books(making: Bool = false) throws -> RawBooks {
    let storage = Thread.current.threadDictionary
    if let (place, books) = storage[key] as? (URL, RawBooks), place == url { return books }
    let books = try RawBooks(at: url, makesTable: making)
    storage[key] = (url, books)
    return books
  }

  func insert(_ books: [Book]) throws { try self.books().insert(books) }
  func fetchAll() throws -> [Book] { try books().fetchAll() }
  func find(_ id: Int64) throws -> Book? { try books().find(id) }
  func update(_ id: Int64, price: Double) throws { try books().update(id, price: price) }
  func emptyRead() throws { try books().emptyRead() }
}
