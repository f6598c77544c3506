import Synchronization
import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let sharing: [Check] = [
    Check(
      "a second instance works or gets an error that the store is locked, as declared",
      requiredCapabilities: .sharedAcrossProcesses
    ) {
      trial in
      try trial.set("first", "1")
      let isShared = try trial.declares(.sharedAcrossProcesses)
      do {
        let second = try trial.harness.open(trial.directory)
        try second.apply([.set("second", Data("2".utf8))])
      } catch let error as StorageError {
        try trial.expect(
          !isShared && error.code == .locked,
          "opening a second instance or writing with it threw an unexpected error: \(error)")
      }
      // Whether or not the second instance succeeds, the writes of the first one must be preserved.
      try trial.set("third", "3")
      try trial.expect("first", reads: "1")
      try trial.expect("third", reads: "3")
      guard try trial.declares(.persistent) else { return }
      trial.close()
      try trial.expect("first", reads: "1")
      try trial.expect("third", reads: "3")
      if isShared { try trial.expect("second", reads: "2") }
    },
    Check(
      "another instance's writes are seen within a second, if the capability is declared",
      requiredCapabilities: .sharedAcrossProcesses
    ) {
      trial in
      guard try trial.declares(.sharedAcrossProcesses) else {
        try await staysAlone(trial)
        return
      }
      guard let backend = try trial.backend as? any SharedBackend else {
        throw ConformanceFailure(
          "the backend is not a SharedBackend although it declares .sharedAcrossProcesses")
      }
      let second = try trial.harness.open(trial.directory)
      for round in 0..<3 {
        let value = Data("round \(round)".utf8)
        let count = backend.externalChangeCount()
        try second.apply([.set("loan", value)])
        try await soon("another instance's write to the entry \"loan\" could not be read") {
          try backend.read("loan") == value
        }
        try await soon("after another instance's write, externalChangeCount() did not change") {
          backend.externalChangeCount() != count
        }
      }
      try second.apply([.remove("loan")])
      try await soon("another instance's removal of the entry \"loan\" was not visible") {
        try backend.read("loan") == nil && backend.keys(withPrefix: "").isEmpty
      }
    },
    Check(
      "a watch calls its handler after another instance's write, if the capability is declared",
      requiredCapabilities: .sharedAcrossProcesses
    ) {
      trial in
      guard try trial.declares(.sharedAcrossProcesses) else {
        try await staysAlone(trial)
        return
      }
      guard let backend = try trial.backend as? any SharedBackend else {
        throw ConformanceFailure(
          "the backend is not a SharedBackend although it declares .sharedAcrossProcesses")
      }
      try trial.set("loan", "0")
      let second = try trial.harness.open(trial.directory)
      let calls = Calls()
      let watch = try backend.watchExternalChanges { calls.count() }
      for round in 0..<2 {
        let before = calls.total
        try second.apply([.set("loan", Data("round \(round)".utf8))])
        try await soon("after another instance's write, the handler of the watch was not called") {
          calls.total > before
        }
      }
      withExtendedLifetime(watch) {}
    },
  ]

  final class Calls: Sendable {
    private let calls = Mutex(0)
    var total: Int { calls.withLock { $0 } }
    func count() { calls.withLock { $0 += 1 } }
  }

  /// Verifies, for a backend without ``Capabilities/sharedAcrossProcesses``,
  /// that values of another store do not appear in this store.
  private static func staysAlone(_ trial: CheckContext) async throws {
    try trial.set("mine", "1")
    let other = try CheckContext.temporaryDirectory()
    defer { try? FileManager.default.removeItem(at: other) }
    let otherStore = try trial.harness.open(other)
    try otherStore.apply([.set("theirs", Data())])
    try trial.expectKeys("", ["mine"])
  }

  /// Waits until `condition` holds, or throws if it does not hold within one second.
  ///
  /// Each pause between two evaluations of `condition` counts as at most 10 milliseconds,
  /// even if it lasts longer, so that a busy machine does not make the check fail.
  private static func soon(_ failure: String, _ condition: () throws -> Bool) async throws {
    var waited = Duration.zero
    while try !condition() {
      guard waited < .seconds(1) else {
        throw ConformanceFailure("\(failure) within a second")
      }
      let begin = ContinuousClock.now
      try await Task.sleep(for: .milliseconds(2))
      waited += min(ContinuousClock.now - begin, .milliseconds(10))
    }
  }
}
