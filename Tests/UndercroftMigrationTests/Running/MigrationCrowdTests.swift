import BehaviourTrait
import TestSupport
import Testing

extension MigrationProcessTests {
  @Suite(.serialized) struct MigrationCrowdTests {
    @Test(
      .behaviour("A-CT-M13"),
      arguments: ["sliced", "uncut", "killed", "new", "afresh", "restored", "mixed"])
    func `each migration step runs once if eight processes open one file concurrently`(kind: String)
      async throws
    {
      let run = try await MigrationTool.run(
        "crowd", "--rounds", "1", "--megabytes", "0.05", "--kind", kind)

      #expect(run.status == 0, "\(run.summary)")
      #expect(run.lastLine.contains("1 rounds of 8 processes"), "\(run.summary)")
      #expect(run.lastLine.contains(" 0 problems"), "\(run.summary)")
    }
  }
}
