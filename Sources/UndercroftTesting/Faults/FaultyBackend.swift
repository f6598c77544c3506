import Synchronization
public import UndercroftCore
public import UndercroftFoundation

/// A layer over a backend that makes chosen calls fail, for
/// testing the error handling of code that uses the backend.
public final class FaultyBackend: LayeredBackend {
  private let upstream: any StorageBackend
  private let faults: [Fault]
  private let state: Mutex<State>

  private struct State {
    var reads = 0
    var listings = 0
    var batches = 0
    var generators: [Int: SeededGenerator] = [:]
  }

  /// Creates a layer over `upstream` that applies the given faults.
  public init(_ upstream: any StorageBackend, _ faults: Fault...) {
    self.upstream = upstream
    self.faults = faults
    var state = State()
    for (index, fault) in faults.enumerated() {
      if case .random(let seed, _) = fault.kind {
        state.generators[index] = SeededGenerator(seed: seed)
      }
    }
    self.state = Mutex(state)
  }

  public var upstreams: [any StorageBackend] { [upstream] }
  public func upstreamName(of name: String) -> String? { name }
  public var name: String { upstream.name }
  public var location: URL? { upstream.location }
  public var capabilities: Capabilities {
    upstream.capabilities.subtracting(.lostInLayers)
  }

  public func read(_ key: String) throws(StorageError) -> Data? {
    let fault = state.withLock { state in
      state.reads += 1
      let number = state.reads
      return first(&state) { kind in kind.isRead(number) }
    }
    if let fault { throw fault.error.naming(backend: name, key: key) }
    return try upstream.read(key)
  }

  public func keys(withPrefix prefix: String) throws(StorageError) -> [String] {
    let fault = state.withLock { state in
      state.listings += 1
      let number = state.listings
      return first(&state) { kind in kind.isListing(number) }
    }
    if let fault { throw fault.error.naming(backend: name) }
    return try upstream.keys(withPrefix: prefix)
  }

  public func apply(_ changes: [StorageChange]) throws(StorageError) {
    let fault = state.withLock { state in
      state.batches += 1
      let number = state.batches
      return first(&state) { kind in kind.isBatch(number, changes) }
    }
    guard let fault else { return try upstream.apply(changes) }
    let count = madeChanges(before: fault, of: changes)
    if count > 0 { try upstream.apply(Array(changes.prefix(count))) }
    throw fault.error.naming(
      backend: name, key: changes.dropFirst(count).first?.name ?? changes.last?.name)
  }

  private func madeChanges(before fault: Fault, of changes: [StorageChange]) -> Int {
    switch fault.kind {
    case .tear(_, let count): max(0, min(count, changes.count))
    case .name(let name) where !capabilities.contains(.atomicBatches):
      changes.firstIndex { $0.sets(name) } ?? 0
    default: 0
    }
  }

  private func first(_ state: inout State, _ strikes: (Fault.Kind) -> Bool) -> Fault? {
    for (index, fault) in faults.enumerated() {
      if case .random(_, let count) = fault.kind {
        let draw = state.generators[index]?.next() ?? 1
        if draw % UInt64(count) == 0 { return fault }
      } else if strikes(fault.kind) {
        return fault
      }
    }
    return nil
  }
}

extension Fault.Kind {
  fileprivate func isRead(_ number: Int) -> Bool {
    if case .read(number) = self { true } else { false }
  }

  fileprivate func isListing(_ number: Int) -> Bool {
    if case .keys(number) = self { true } else { false }
  }

  fileprivate func isBatch(_ number: Int, _ changes: [StorageChange]) -> Bool {
    switch self {
    case .apply(number), .tear(number, _): true
    case .name(let name): changes.contains { $0.sets(name) }
    default: false
    }
  }
}

extension StorageChange {
  fileprivate func sets(_ wanted: String) -> Bool {
    if case .set(wanted, _) = self { true } else { false }
  }
}
