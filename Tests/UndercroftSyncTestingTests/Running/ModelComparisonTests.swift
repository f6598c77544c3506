import Foundation
import SyncModel
import TestSupport
import Testing
import UndercroftSync

/// Tests with a sample of the histories that `make simulate-model` compares.
@Suite(.enabled(if: Python.isInstalled)) struct ModelComparisonTests {
  @Test(.heavy, arguments: ["mild", "harsh", "hot", "clone", "gc", "gcclone", "timeline", "all"])
  func `replicas and a server produce the same results as the protocol model`(
    profile: String
  ) throws {
    var comparison = ModelComparison()

    try comparison.compare(ModelTrace(first: 1, count: 4, steps: 160, profile: profile))

    #expect(comparison.differences.isEmpty, "\(comparison.differences)")
    #expect(comparison.histories == 4)
    #expect(comparison.steps > 400)
  }

  @Test(
    .heavy,
    arguments: [
      (.noConflictLog, "hot"), (.resultBumpsVersion, "harsh"), (.resultDropsOverlay, "harsh"),
      (.ignoredEchoes, "hot"), (.noHiddenColumns, "hot"),
    ] as [(SyncMutation, String)])
  func `if the library ignores a protocol rule, its results differ from those of the model`(
    mutation: SyncMutation, profile: String
  ) throws {
    var comparison = ModelComparison(without: [mutation])

    try comparison.compare(ModelTrace(first: 1, count: 10, steps: 160, profile: profile))

    #expect(!comparison.differences.isEmpty)
  }
}

private enum Python {
  /// Whether the program `python3` is in a folder of `PATH`.
  static let isInstalled = ProcessInfo.processInfo.environment["PATH", default: ""]
    .split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
}
