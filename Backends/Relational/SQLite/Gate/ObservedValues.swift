/// What a query returns: now, and whenever it returns something else, through this process or another.
///
/// Changes that come faster than they are read arrive as one: the latest. The query is run again only after commits that touched
/// tables and columns it reads. An error of the query ends the sequence.
///
/// Two values are the same if their type's `==` says so. Texts, also in optionals, arrays and as values of dictionaries, are
/// compared by bytes as well, because `==` of `String` equates "é" in one scalar and in two.
public struct ObservedValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  let database: Database
  let query: @Sendable (borrowing Connection) throws -> Value

  public func makeAsyncIterator() -> Iterator {
    Iterator(database: database, query: query)
  }

  /// Yields the values; observing ends when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    private let query: ObservedQuery<Value>
    private var signals: AsyncStream<Void>.Iterator
    private var last: Value?
    private var isFinished = false

    init(
      database: Database, query: @escaping @Sendable (borrowing Connection) throws -> Value
    ) {
      let (signals, stirred) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      self.query = ObservedQuery(database, query) { stirred.yield() }
      self.signals = signals.makeAsyncIterator()
      stirred.yield()
    }

    public mutating func next() async throws -> Value? {
      try await next(isolation: #isolation)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Value? {
      while !isFinished, await signals.next(isolation: actor) != nil {
        do {
          let value = try await query.run()
          if !ExactEquality.areSame(value, last) {
            last = value
            return value
          }
        } catch {
          isFinished = true
          if error is CancellationError { return nil }
          throw error
        }
      }
      return nil
    }
  }
}

extension Database {
  /// Returns what `query` returns, now and after every change of what it reads.
  ///
  /// ```swift
  /// for try await titles in database.values({ db in try db.query("SELECT title FROM book") { row in try row[0] as String } }) { … }
  /// ```
  public func values<Value: Equatable & Sendable>(
    _ query: @escaping @Sendable (borrowing Connection) throws -> Value
  ) -> ObservedValues<Value> {
    ObservedValues(database: self, query: query)
  }
}
