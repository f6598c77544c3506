import Foundation
import Testing
import UndercroftCore
import UndercroftSync

/// Tests that compare the resolver with recorded decisions of the protocol model.
@Suite struct ModelDecisionTests {
  @Test func `the resolver reproduces every recorded decision of the protocol model`()
    throws
  {
    let decisions = try ModelDecision.all()

    for (index, model) in decisions.enumerated() {
      let resolution = model.resolution()
      #expect(resolution.status.rawValue == model.status, "line \(index + 1)")
      #expect(resolution.version == model.version, "line \(index + 1)")
      #expect((resolution.record == nil) == model.isUnchanged, "line \(index + 1)")
      if let record = resolution.record { expect(record, toEqual: model.after, "\(index + 1)") }
      expect(resolution.conflicts, from: model, "line \(index + 1)")
    }
    #expect(decisions.count > 300)
    #expect(Set(decisions.map(\.status)) == ["applied", "lost", "parked", "stale"])
  }

  /// Expects that a row equals that of the model, except for the authors of counter increments.
  ///
  /// The model does not store these authors.
  private func expect(_ record: ServerRecord, toEqual model: ServerRecord?, _ line: String) {
    var record = record
    record.additions = [:]
    #expect(record == model, "line \(line)")
  }

  /// Expects that conflicts equal those of the model, except for conflicts about stale operations.
  ///
  /// In the model, the replica stores these conflicts and the server does not.
  private func expect(_ conflicts: [SyncConflict], from model: ModelDecision, _ line: String) {
    let conflicts = conflicts.filter { $0.kind != .stale }
    #expect(conflicts.map(\.kind.rawValue) == model.conflicts.map(\.kind), "\(line)")
    for (conflict, expected) in zip(conflicts, model.conflicts) {
      #expect(conflict.values.mapValues(\.value) == expected.values, "\(line)")
      // The model does not store the increment of an open conflict or of a deletion.
      if expected.increment != 0, conflict.kind != .deletionLost {
        #expect(conflict.increments["n"] == expected.increment, "\(line)")
      }
    }
  }
}
