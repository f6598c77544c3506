/// An asynchronous sequence of the results of a query: the current result, and each later result
/// that differs from the previous result.
///
/// Changes by this process and by other processes are observed.
///
/// If changes arrive faster than the sequence is read, only the latest result is returned. The
/// query runs again only after commits that may have changed the tables and columns that it reads.
/// An error that the query throws ends the sequence.
///
/// Two values are the same if they are equal and their strings have the same bytes, because `==` of
/// `String` does not distinguish "é" as one scalar from "é" as two scalars. The bytes are also
/// compared for strings in optionals, in arrays and in the values of dictionaries. Values of all
/// other types are compared by `==` alone.
public struct ObservedValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = any Error

  let database: Database
  let query: @Sendable (Connection) throws -> Value

  public func makeAsyncIterator() -> Iterator {
    Iterator(database: database, query: query)
  }

  /// An iterator over the results of the query.
  ///
  /// The observation ends when the iterator is released.
  public struct Iterator: AsyncIteratorProtocol {
    private let query: ObservedQuery<Value>
    private var signals: AsyncStream<Void>.Iterator
    private var last: Value?
    private var isFinished = false

    init(
      database: Database, query: @escaping @Sendable (Connection) throws -> Value
    ) {
      let (signals, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      self.query = ObservedQuery(database, query) { continuation.yield() }
      self.signals = signals.makeAsyncIterator()
      continuation.yield()
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
  /// Returns a sequence of the results of `query`: the current result, and each later result that
  /// differs from the previous result.
  ///
  /// ```swift
  /// let values = database.values { db in
  ///   try db.fetchAll("SELECT title FROM book") { row in try row[0] as String }
  /// }
  /// for try await titles in values { … }
  /// ```
  public func values<Value: Equatable & Sendable>(
    _ query: @escaping @Sendable (Connection) throws -> Value
  ) -> ObservedValues<Value> {
    ObservedValues(database: self, query: query)
  }
}
