import Testing
import UndercroftCrashTesting

extension HeavyTests {
  /// A sample of what `make crashlab` tries.
  @Suite(.serialized, .enabled(if: Recorder.isAvailable())) struct CrashLaboratoryTests {
    /// Stores with the examinations that they pass.
    static let sample: [(store: String, models: String)] = [
      ("settings-pl", "kill"), ("settings-pd", "kill"), ("gdbm-pl", "kill"), ("gdbm-pd", "kill"),
      ("files", "kill,power"), ("lists", "kill,power"), ("singleFile", "kill,power"),
      ("sqlite-pl", "kill,power"), ("sqlite-pd", "kill,power,second"), ("rows-pl", "kill,power"),
      ("rows-pd", "kill,power"), ("migration-pl", "kill,power"),
      ("migration-fail-pd", "kill,power"), ("migration-restore-pl", "kill,power"),
      ("migration-afresh-pd", "kill,power"),
    ]

    @Test(arguments: sample)
    func `no state of a sample breaks a promise`(store: String, models: String) async throws {
      let (status, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", models, "--seconds", "1", "--second", "1",
        "--faults", "20", "--seed", "1")

      #expect(status == 0, "\(lines.joined(separator: "\n"))")
    }

    @Test(arguments: [
      ("flawed-unflushed", "power"), ("flawed-in-place", "kill"), ("flawed-halves", "kill"),
      ("flawed-forgetful", "kill"), ("flawed-forgetful", "power"),
    ])
    func `a store that breaks its promise is found out`(
      store: String, model: String
    ) async throws {
      let (status, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", model, "--states", "120", "--seed", "1")

      #expect(status == 1, "\(lines.joined(separator: "\n"))")
      #expect(lines.contains { $0.contains("again: ") }, "\(lines.joined(separator: "\n"))")
    }

    @Test func `a failing state is judged the same again`() async throws {
      let (_, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", "flawed-in-place", "--models", "kill", "--states", "60")
      let line = try #require(lines.first { $0.contains("again: ") })
      let command = try #require(line.split(separator: "again: ").last)
      let arguments = command.split(separator: " ").dropFirst().map(String.init)

      let (status, again) = try await KillWriterTool.run(arguments)

      #expect(status == 1)
      #expect(again.first?.hasPrefix("flawed-in-place: ") == true, "\(again)")
    }

    @Test func `a sound store passes every examination`() async throws {
      let (status, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", "sheet", "--seconds", "5", "--states", "200", "--second", "2",
        "--faults", "40")

      #expect(status == 0, "\(lines.joined(separator: "\n"))")
    }

    @Test func `a store without a name is an error`() async throws {
      let (status, _) = try await KillWriterTool.run("crash", "run", "--only", "nowhere")

      #expect(status == 2)
    }
  }
}
