import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftTesting

@Suite struct BackendConformanceTests {
  /// A backend with one flaw, and the name of the check that must detect it.
  struct Flawed: Sendable, CustomTestStringConvertible {
    let flaw: String
    let check: String
    let harness: Harness
    var testDescription: String { flaw }

    init(_ flaw: String, _ check: String, _ backend: FlawedBackend) {
      self.init(flaw, check, Harness { _ in backend.emptyCopy() })
    }

    init(_ flaw: String, _ check: String, _ harness: Harness) {
      self.flaw = flaw
      self.check = check
      self.harness = harness
    }

    init(_ flaw: FlawedFileBackend.Flaw, _ check: String) {
      self.init(
        "\(flaw)", check,
        Harness { FlawedFileBackend($0.appending(path: "sheet.json"), flaw) }
          .breaking { FlawedFileBackend($0.appending(path: "sheet.json"), flaw, brokenName: $1) })
    }
  }

  static let flawed: [Flawed] = [
    Flawed(
      "absence reads as empty", "an absent key reads as nil",
      FlawedBackend(mapValue: { $0 ?? Data() })),
    Flawed(
      "values are cut at NUL", "a written value reads back byte for byte",
      FlawedBackend(mapValue: { $0?.prefix { $0 != 0 } })),
    Flawed(
      "an empty value reads as absent", "an empty value differs from an absent one",
      FlawedBackend(mapValue: { $0?.isEmpty == true ? nil : $0 })),
    Flawed(
      "values are cut at a megabyte", "a megabyte survives",
      FlawedBackend(mapValue: { $0?.prefix(1_048_576) })),
    Flawed(
      "removals are ignored", "a removed key reads as nil",
      FlawedBackend(mapChanges: { $0.filter { if case .set = $0 { true } else { false } } })),
    Flawed(
      "removing the absent throws", "removing an absent key succeeds",
      FlawedBackend(willRemove: { (key, old) throws(StorageError) in
        if old == nil { throw StorageError(.unavailable, "no such key", key: key) }
      })),
    Flawed(
      "removals are applied last", "changes apply in order",
      FlawedBackend(mapChanges: { changes in
        changes.filter { if case .set = $0 { true } else { false } }
          + changes.filter { if case .remove = $0 { true } else { false } }
      })),
    Flawed(
      "names are folded to lower case", "names that differ in case alone are different names",
      FlawedBackend(mapName: { $0.lowercased() })),
    Flawed(
      "slashes are doubled away", "awkward names survive",
      FlawedBackend(mapName: { $0.replacingOccurrences(of: "//", with: "/") })),
    Flawed(
      "prefixes are patterns", "keys lists exactly the prefix",
      FlawedBackend(matchesPrefix: { name, prefix in
        prefix == "lo%" ? name.hasPrefix("lo") : name.utf8.starts(with: prefix.utf8)
      })),
    Flawed(
      "order is declared and not kept",
      "keys come in the order of their bytes, if the capability is declared",
      FlawedBackend(declared: .orderedKeys)),
    Flawed(
      "persistence is declared and not kept",
      "values survive reopening, if the capability is declared",
      FlawedBackend(declared: .persistent)),
    Flawed(
      "atomic batches are declared and not kept",
      "a failing batch leaves no trace, or exactly the changes before the failure",
      FlawedBackend(declared: .atomicBatches)),
    Flawed(
      "streaming is declared and missing",
      "a discarded writer leaves no trace, if the capability is declared",
      FlawedBackend(declared: .streaming)),
    Flawed(
      "inspection is declared and missing",
      "inspection lists the same names as keys, if the capability is declared",
      FlawedBackend(declared: .inspectable)),
    Flawed(
      "sharing is declared and missing",
      "another instance's writes are seen within a second, if the capability is declared",
      FlawedBackend(declared: .sharedAcrossProcesses)),
    Flawed(
      "sharing is declared without exclusive access",
      "two instances that edit one value lose no increment, if the capability is declared",
      FlawedBackend(declared: .sharedAcrossProcesses)),
    Flawed(
      "crash safety is declared without persistence",
      "a store of a killed process has every acknowledged write, if the capability is declared",
      FlawedBackend(declared: .crashSafe)),
    Flawed(
      "a batch is torn",
      "a failing batch leaves no trace, or exactly the changes before the failure",
      Harness { _ in MemoryBackend() }
        .breaking { _, _ in FaultyBackend(MemoryBackend(), .tear(4, after: 2)) }),
    Flawed(.forgetsOnClose, "values survive reopening, if the capability is declared"),
    Flawed(
      .writesOnClose,
      "a store of a killed process has every acknowledged write, if the capability is declared"
    ),
    Flawed(
      .writesWhenInspected, "inspection changes no byte on disk, if the capability is declared"),
    Flawed(.hidesKeys, "inspection lists the same names as keys, if the capability is declared"),
    Flawed(.refusesOverwriting, "the last write wins, also when it is shorter"),
    Flawed(.wrongBackendInErrors, "errors name backend and key and never the value"),
    Flawed(.valueInErrors, "errors name backend and key and never the value"),
    Flawed(.losesConcurrentWrites, "a hundred tasks writing their own names lose nothing"),
    Flawed(
      "a secret lies about in Base64",
      "no file holds the plaintext of a value or of its name, if the capability is declared",
      Harness {
        ClaimingBackend(FlawedFileBackend($0.appending(path: "sheet")), adding: .confidential)
      }),
    Flawed(
      "own writes are reported as those of others",
      "an own write is delivered once, and to the observers of its key alone",
      Harness { _ in WatchedBackend(.reportsOwnWrites) }),
    Flawed(
      "an observer that writes is called by its own writes",
      "an observer that writes another key comes to an end",
      Harness { _ in WatchedBackend(.reportsOwnWrites) }),
    Flawed(
      "nothing is reported",
      "another instance's writes are delivered between own writes, if the capability is declared",
      {
        let memory = MemoryBackend()
        return Harness { _ in WatchedBackend(.reportsNothing, on: memory) }
      }()),
    Flawed(
      "stale reads", "a thousand seeded random operations agree with a dictionary",
      Harness { _ in ForgetfulBackend() }),
  ]

  @Test(.heavy, arguments: flawed)
  func `each conformance check detects a backend with the corresponding flaw`(_ flawed: Flawed)
    async throws
  {
    let check = try #require(BackendConformance.checks.first { $0.name == flawed.check })

    let failure = await #expect(throws: ConformanceFailure.self) {
      // Some flaws appear only if two tasks run concurrently, so two threads are provided.
      try await TwoThreads.run { try await check.run(against: flawed.harness) }
    }

    #expect(failure?.check == check.name)
    #expect(failure?.backend.isEmpty == false)
  }

  @Test(arguments: BackendConformance.checks)
  func `a sound backend with one file conforms to the backend contract`(
    to check: BackendConformance.Check
  ) async throws {
    try await check.run(
      against: Harness { FlawedFileBackend($0.appending(path: "sheet.json")) }
        .breaking { FlawedFileBackend($0.appending(path: "sheet.json"), brokenName: $1) })
  }

  @Test func `every conformance check has a unique name`() {
    let names = BackendConformance.checks.map(\.name)

    #expect(Set(names).count == names.count)
    #expect(names.count >= 20)
    for check in BackendConformance.checks { #expect("\(check)" == check.name) }
  }

  @Test func `each conformance check gets an empty directory that is removed afterwards`()
    async throws
  {
    let seen = Seen()
    for check in BackendConformance.checks.prefix(3) {
      try await check.run(
        against: Harness { directory in
          let names = try FileManager.default.contentsOfDirectory(atPath: directory.path())
          seen.add(directory, isEmpty: names.isEmpty)
          return MemoryBackend()
        })
    }

    #expect(seen.directories.count == 3)
    #expect(seen.wereEmpty)
    for directory in seen.directories {
      #expect(!FileManager.default.fileExists(atPath: directory.path()))
    }
  }

  @Test func `if a backend cannot be opened, a conformance check fails with the reason`()
    async throws
  {
    let check = try #require(BackendConformance.checks.first)

    let failure = await #expect(throws: ConformanceFailure.self) {
      try await check.run(against: Harness { _ in throw StorageError(.unavailable, "no shelf") })
    }

    #expect(
      failure?.description.contains("a new store cannot be opened: no shelf") == true)
  }
}
