import Synchronization
import UndercroftRelational
import UndercroftSQLite

/// The kind of an observed query.
enum ObservedQueryKind: CaseIterable, Sendable {
  case count, rows, sum, join

  func value(in db: Connection) throws -> String {
    switch self {
    case .count: "\(try Item.plain.where { $0.a > 0 }.fetchCount(in: db))"
    case .rows: "\(try Item.other.order { $0.id }.fetchAll(in: db))"
    case .sum: "\(try Item.plain.fetchValue(in: db) { $0.id.sum }.map { "\($0)" } ?? "nil")"
    case .join:
      "\(try Item.plain.join(Item.other) { $0.id == $1.id }.order { $0.id + $1.id }.fetchAll(in: db))"
    }
  }
}

/// An observed query with its last value.
final class ObservedLine: Sendable {
  private struct State {
    var last: String?
    var failure: String?
  }

  let kind: ObservedQueryKind
  /// The name of the query and its database, for reports.
  let name: String
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ database: Database, _ kind: ObservedQueryKind, _ name: String) {
    (self.kind, self.name) = (kind, name)
    let values = database.values { db in try kind.value(in: db) }
    let observing = Task(executorPreference: QueueExecutor()) { [weak self] in
      do {
        for try await value in values { self?.state.withLock { $0.last = value } }
      } catch {
        self?.state.withLock { $0.failure = "\(error)" }
      }
    }
    task.withLock { $0 = observing }
  }

  var last: String? { state.withLock { $0.last } }
  var failure: String? { state.withLock { $0.failure } }

  func cancel() { task.withLock { $0?.cancel() } }
}
