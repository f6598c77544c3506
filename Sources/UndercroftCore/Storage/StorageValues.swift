/// The values of one key: the present one, then the one after every change, by this process or another.
///
/// Changes that come faster than they are read arrive as one: the latest. A value that cannot be read is reported to
/// the storage's issue handler and arrives as the default. The sequence ends when the storage is closed.
public struct StorageValues<Value: Codable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  let storage: Storage
  let key: StorageKey<Value>

  public func makeAsyncIterator() -> Iterator {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let end = SignalEnd(continuation)
    var registration: Registration?
    var observed: Gate?
    do {
      let route = try storage.route(for: key.kind)
      let name = try route.backendName(key.name)
      let gate = try storage.gate(of: route)
      registration = try gate.observe([name]) { end.signal() }
      observed = gate
      continuation.yield()
    } catch {
      // Without a backend there is one thing to say, and nothing will follow.
      storage.issueHandler(error)
      continuation.finish()
    }
    return Iterator(
      storage: storage, key: key, gate: observed, registration: registration,
      signals: signals.makeAsyncIterator())
  }

  /// Ends the signals once the gate that gives them is gone.
  private final class SignalEnd: Sendable {
    private let continuation: AsyncStream<Void>.Continuation

    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

    func signal() { continuation.yield() }

    deinit { continuation.finish() }
  }

  /// Yields the values; observing ends when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    let storage: Storage
    let key: StorageKey<Value>
    /// The gate that gives the signals, as long as it is open.
    weak var gate: Gate?
    let registration: Registration?
    var signals: AsyncStream<Void>.Iterator

    public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      // A signal may wait although the storage has been closed. Loading through the storage would open the backend again.
      guard await signals.next(isolation: actor) != nil, let gate else { return nil }
      do {
        let (storage, key) = (storage, key)
        return try await blocking { try storage.load(key, through: gate) }
      } catch {
        if let error = error as? StorageError { storage.issueHandler(error) }
        return key.defaultValue
      }
    }
  }
}

extension Storage {
  /// Returns the values of `key`: now, and after every change, by this process or another.
  public func values<Value>(of key: StorageKey<Value>) -> StorageValues<Value> {
    StorageValues(storage: self, key: key)
  }
}
