import Synchronization
import UndercroftCore

/// A query and the observation of the region that the query reads.
final class ObservedQuery<Value: Sendable>: Sendable {
  private let database: Database
  private let query: @Sendable (Connection) throws -> Value
  private let onChange: @Sendable () -> Void
  private let watched = Mutex<(region: Database.Region, registration: Registration)?>(nil)

  /// Creates a query that is not observed before its first run.
  ///
  /// - Parameter onChange: called when the query may have another result.
  init(
    _ database: Database, _ query: @escaping @Sendable (Connection) throws -> Value,
    onChange: @escaping @Sendable () -> Void
  ) {
    self.database = database
    self.query = query
    self.onChange = onChange
  }

  /// Runs the query, and starts to observe the region that the query has read.
  func run() async throws -> Value {
    try await database.async.interruptibly(database.asyncReads) { [self] database, interruption in
      try database.watchExternalChanges()
      let commits = database.gate.commitCount
      let (value, region) = try database.readTracked(interruption, query)
      watch(region, since: commits)
      return value
    }
  }

  private func watch(_ region: Database.Region, since commits: Int) {
    let isNew = watched.withLock { watched in
      if watched?.region == region { return false }
      let onChange = onChange
      let registration = database.gate.observe(
        .init(region: region, detail: .columns) { _ in onChange() })
      watched = (region, registration)
      return true
    }
    // A commit between the read and the start of the observation was not reported.
    if isNew, database.gate.commitCount != commits { onChange() }
  }
}
