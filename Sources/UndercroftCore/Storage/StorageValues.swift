/// An asynchronous sequence of the present value of a key and its value after every change.
///
/// Changes may come from this process or another. If several changes happen
/// before the next value is read, only the latest value is delivered. If a
/// value cannot be read, the error goes to the storage's issue handler, and the
/// default value is delivered. The sequence ends when the storage is closed.
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
      let name = try route.coding.backendName(of: key)
      let gate = try storage.gate(of: route)
      registration = try gate.observe([name]) { end.signal() }
      observed = gate
      continuation.yield()
    } catch {
      // The sequence is empty if there is no backend, so the error is reported only here.
      storage.issueHandler(error)
      continuation.finish()
    }
    return Iterator(
      storage: storage, key: key, gate: observed, registration: registration,
      signals: signals.makeAsyncIterator())
  }

  /// An object that signals changes of the value to the iterator,
  /// and ends the stream of signals when the object is released.
  ///
  /// The observer that the gate calls after each change retains this object.
  /// When the gate is released, it releases its observers, so the stream ends.
  private final class SignalEnd: Sendable {
    private let continuation: AsyncStream<Void>.Continuation

    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

    func signal() { continuation.yield() }

    deinit { continuation.finish() }
  }

  /// The iterator of ``StorageValues``; the iterator observes the key until it is released.
  public struct Iterator: AsyncIteratorProtocol {
    let storage: Storage
    let key: StorageKey<Value>
    /// The gate that sends the signals, or `nil` if its backend is closed or was not opened.
    weak var gate: Gate?
    let registration: Registration?
    var signals: AsyncStream<Void>.Iterator

    public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      // A signal may be pending after the storage was closed. Loading
      // through the storage would then open the backend again.
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
  /// Returns an asynchronous sequence of the present value of `key`
  /// and its value after every change by this process or another.
  public func values<Value>(of key: StorageKey<Value>) -> StorageValues<Value> {
    StorageValues(storage: self, key: key)
  }
}
