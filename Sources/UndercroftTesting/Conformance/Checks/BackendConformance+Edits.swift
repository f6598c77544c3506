public import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let edits: [Check] = [
    Check(
      "two instances that edit one value lose no increment, if the capability is declared",
      requiredCapabilities: .sharedAcrossProcesses
    ) {
      trial in
      // Without the capability, there is only one instance, and both tasks use the same gate.
      let backend = try trial.backend
      let isShared = try trial.declares(.sharedAcrossProcesses)
      try trial.expect(
        !isShared || backend is any ExclusiveAccessBackend,
        "the backend is not an ExclusiveAccessBackend although it declares .sharedAcrossProcesses")
      let second = isShared ? try trial.harness.open(trial.directory) : backend
      let gates =
        isShared ? [Gate(backend), Gate(second)] : Array(repeating: Gate(backend), count: 2)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for gate in gates {
          group.addTask {
            try await blocking { for _ in 0..<increments { try increment("visitors", by: gate) } }
          }
        }
        try await group.waitForAll()
      }
      try trial.expect("visitors", reads: "\(2 * increments)")
    },
    Check("exclusive access excludes other threads and is released, where offered") { trial in
      try await excludesThreads(in: trial) { backend, body in
        try backend.withExclusiveAccess(body)
      }
    },
    Check("the writer lock excludes other threads and is released, where offered") { trial in
      try await excludesThreads(in: trial) { backend, body in try backend.withWriterLock(body) }
    },
  ]

  private struct Refusal: Error {}

  private static func excludesThreads(
    in trial: CheckContext,
    _ access: @escaping @Sendable (any ExclusiveAccessBackend, () throws -> Void) throws -> Void
  ) async throws {
    guard let backend = try trial.backend as? any ExclusiveAccessBackend else {
      // A backend without exclusive access only has to apply single batches.
      try trial.set("loan", "0")
      try trial.expect("loan", reads: "0")
      return
    }
    try trial.set("loan", "0")
    let writes = Calls()
    var other: Task<Void, any Error>?
    try access(backend) {
      other = Task {
        try await blocking {
          try backend.apply([.set("loan", Data("other".utf8))])
          writes.count()
        }
      }
      for round in 0..<20 {
        let value = Data("\(round)".utf8)
        try backend.apply([.set("loan", value)])
        try backend.withExclusiveAccess { try backend.apply([.set("nested", Data())]) }
        try access(backend) { try backend.apply([.set("nested", Data())]) }
        let isAlone = try backend.read("loan") == value && writes.total == 0
        try trial.expect(isAlone, "another thread wrote during the exclusive access")
      }
    }
    try await other?.value
    try trial.expect("loan", reads: "other")
    do {
      try access(backend) { throw Refusal() }
      throw ConformanceFailure(
        "an error that the closure of the exclusive access threw did not reach the caller")
    } catch is Refusal {
      try trial.set("loan", "after an error")
    }
    try trial.expect("loan", reads: "after an error")
  }

  private static let increments = 50

  /// Adds 1 to the number that is stored under `name`, or to 0 if there is none, in one edit.
  ///
  /// To verify that edits are atomic across processes, let two programs call this function several
  /// times on one store. The final number must be the total number of calls.
  public static func increment(_ name: String, in backend: any StorageBackend) throws {
    try increment(name, by: Gate(backend))
  }

  private static func increment(_ name: String, by gate: Gate) throws {
    try gate.edit { changes in
      let text = try gate.backend.read(name).map { String(decoding: $0, as: UTF8.self) } ?? "0"
      guard let number = Int(text) else {
        throw ConformanceFailure("the value of the entry \(quoted(name)) is not an integer")
      }
      changes = [.set(name, Data(String(number + 1).utf8))]
    }
  }
}
