import Synchronization
import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let observation: [Check] = [
    Check("an own write is delivered once, and to the observers of its key alone") { trial in
      let storage = try trial.storage()
      let loan = Deliveries(of: .loan, in: storage)
      let reader = Deliveries(of: .reader, in: storage)
      try await eventually("the current value was not delivered") {
        loan.all.count == 1 && reader.all.count == 1
      }
      for round in 1...rounds {
        try storage.save(round, for: .loan)
        try await eventually("an own write was not delivered") { loan.all.last == round }
        // Waits for surplus deliveries. Later surplus deliveries are detected in the next round.
        try await Task.sleep(for: .milliseconds(5))
      }
      try storage.remove(.loan)
      try await eventually("an own removal was not delivered") { loan.all.last == .some(nil) }
      try await Task.sleep(for: .milliseconds(20))
      try storage.save(1, for: .reader)
      try await eventually("an own write was not delivered") { reader.all.last == 1 }
      let wanted = [nil] + (1...rounds).map(Optional.some) + [nil]
      try trial.expect(
        loan.all == wanted,
        "\(rounds) writes and a removal, each delivered before the next, gave \(loan.all.count - 1) values"
      )
      try trial.expect(
        reader.all == [nil, 1],
        "an observer of another key got \(reader.all.count - 2) values too many")
    },
    Check("an observer that writes another key comes to an end") { trial in
      let storage = try trial.storage()
      let reader = Mutex(0)
      let saving = Deliveries(of: .loan, in: storage) { _ in
        let number = reader.withLock { number in
          number += 1
          return number
        }
        try? storage.save(number, for: .reader)
      }
      try await eventually("the current value was not delivered") { saving.all.count == 1 }
      try storage.save(1, for: .loan)
      try await eventually("an own write was not delivered") { saving.all.last == 1 }
      try await Task.sleep(for: .milliseconds(100))
      try storage.save(2, for: .loan)
      try await eventually("an own write was not delivered") { saving.all.last == 2 }
      try trial.expect(
        saving.all == [nil, 1, 2],
        """
        each value made the observer write another key, and the observer received \
        \(saving.all.count - 3) values too many
        """)
    },
    Check(
      "another instance's writes are delivered between own writes, if the capability is declared",
      requiredCapabilities: .sharedAcrossProcesses
    ) { trial in
      guard try trial.declares(.sharedAcrossProcesses) else {
        // Without the capability, there are no other instances, but
        // own writes are delivered nevertheless.
        let storage = try trial.storage()
        let loan = Deliveries(of: .loan, in: storage)
        try storage.save(1, for: .loan)
        try await eventually("an own write was not delivered") { loan.all.last == 1 }
        return
      }
      let storage = try trial.storage()
      let other = try CheckContext.storage(over: try trial.harness.open(trial.directory))
      let loan = Deliveries(of: .loan, in: storage)
      for round in 1...rounds {
        async let own: Void = blocking {
          for number in 1...5 { try storage.save(number, for: .reader) }
        }
        async let others: Void = blocking { try other.save(round, for: .loan) }
        _ = try await (own, others)
        try await eventually("another instance's write was not delivered between own ones") {
          loan.all.last == round
        }
      }
    },
  ]

  private static let rounds = 10

  /// Waits until `condition` holds, or throws if it does not hold within 10 seconds.
  ///
  /// Each pause between two evaluations of `condition` counts as at most 10 milliseconds,
  /// even if it lasts longer, so that a busy machine does not make the check fail.
  private static func eventually(
    _ failure: String, _ condition: () throws -> Bool
  ) async throws {
    var waited = Duration.zero
    while try !condition() {
      guard waited < .seconds(10) else { throw ConformanceFailure(failure) }
      let begin = ContinuousClock.now
      try await Task.sleep(for: .milliseconds(2))
      waited += min(ContinuousClock.now - begin, .milliseconds(10))
    }
  }
}

/// The values that one observer of a key has received so far.
private final class Deliveries: Sendable {
  private final class Values: Sendable {
    private let values = Mutex<[Int?]>([])
    var all: [Int?] { values.withLock { $0 } }
    func add(_ value: Int?) { values.withLock { $0.append(value) } }
  }

  private let values: Values
  private let task: Task<Void, Never>

  init(
    of key: StorageKey<Int?>, in storage: Storage,
    _ handler: @escaping @Sendable (Int?) -> Void = { _ in }
  ) {
    let values = Values()
    self.values = values
    task = Task {
      for await value in storage.values(of: key) {
        handler(value)
        values.add(value)
      }
    }
  }

  var all: [Int?] { values.all }

  deinit { task.cancel() }
}

extension StorageKey<Int?> {
  fileprivate static var loan: Self { Self("loan", kind: .observed) }
  fileprivate static var reader: Self { Self("reader", kind: .observed) }
}

extension DataKind {
  fileprivate static let observed = DataKind("observed")
}

extension CheckContext {
  /// Returns a storage over the backend under test.
  fileprivate func storage() throws -> Storage { try Self.storage(over: try backend) }

  fileprivate static func storage(over backend: any StorageBackend) throws -> Storage {
    var storage = Storage()
    try storage.use(.backend(backend), for: .observed)
    return storage
  }
}
