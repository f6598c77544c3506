import Testing
import UndercroftCrashTesting

extension HeavyTests {
  /// A sample of what `make crashlab` tries.
  @Suite(.serialized, .enabled(if: Recorder.isAvailable())) struct CrashLaboratoryTests {
    /// Stores with the models that they are examined by.
    static let sample: [(store: String, models: String)] = [
      ("settings-pl", "kill,power,second,faults"), ("settings-pd", "kill,power,second,faults"),
      ("gdbm-pl", "kill,power,second,faults"), ("gdbm-pd", "kill,power,second,faults"),
      ("files", "kill,power,second,faults"), ("lists", "kill,power"),
      ("singleFile", "kill,power,second"), ("vault", "kill,power,second,faults"),
      ("encrypted", "kill,power,second"), ("sqlite-pl", "kill,power,faults"),
      ("sqlite-pd", "kill,power,second"), ("rows-pl", "kill,power"),
      ("rows-pd", "kill,power,faults"), ("migration-pl", "kill,power"),
      ("migration-fail-pd", "kill,power"), ("migration-restore-pl", "kill,power"),
      ("migration-afresh-pd", "kill,power"),
    ]

    /// Numbers of states and not seconds limit the sample, so that a slow machine tries the same.
    @Test(arguments: sample)
    func `no state of a sample breaks a promise`(store: String, models: String) async throws {
      let (status, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", models, "--seconds", "300", "--states",
        store.hasPrefix("migration") ? "30" : "80", "--second", "3", "--faults", "30", "--seed",
        "1")

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

    @Test(arguments: [
      ("flawed-deaf", "although a flush had failed", "lost"),
      ("flawed-stubborn", "for the writer and", "differs"),
    ])
    func `a store that breaks its promise after a failed call is found out`(
      store: String, text: String, verdict: String
    ) async throws {
      let (status, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", "faults", "--faults", "40", "--calls",
        "fsync", "--seed", "1")

      #expect(status == 1, "\(lines.joined(separator: "\n"))")
      #expect(
        lines.contains { $0.contains(": \(verdict): ") && $0.contains(text) },
        "\(lines.joined(separator: "\n"))")
    }

    @Test func `a writer that dies of a failing call is found out and the next calls are tried`()
      async throws
    {
      let (status, lines) = try await KillWriterTool.run(
        "crash", "run", "--only", "flawed-aborting", "--models", "faults", "--faults", "40",
        "--calls", "fsync,rename", "--seed", "1")

      #expect(status == 1)
      #expect(lines.filter { $0.contains("the writer died of signal 6") }.count > 1, "\(lines)")
      #expect(lines.contains { $0.contains(" 40 of ") }, "\(lines)")
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
