import TestSupport
import Testing
import UndercroftCrashTesting

extension HeavyTests {
  /// Tests of a sample of the crash states that `make crashlab` tests.
  @Suite(.serialized, .enabled(if: Recorder.isAvailable())) struct CrashLaboratoryTests {
    /// The tested stores, each with the kinds of crash tests that run on the store.
    static let sample: [(store: String, models: String)] = [
      ("settings-pl", "kill,power,second,faults"), ("settings-pd", "kill,power,second,faults"),
      ("gdbm-pl", "kill,power,second,faults"), ("gdbm-pd", "kill,power,second,faults"),
      ("files", "kill,power,second,faults"), ("lists", "kill,power"),
      ("singleFile", "kill,power,second"), ("vault", "kill,power,second,faults"),
      ("encrypted", "kill,power,second"), ("sqlite-pl", "kill,power,faults"),
      ("sqlite-pd", "kill,power,second"), ("rows-pl", "kill,power"),
      ("rows-pd", "kill,power,faults"), ("migration-pl", "kill,power"),
      ("migration-fail-pd", "kill,power"), ("migration-restore-pl", "kill,power"),
      ("migration-afresh-pd", "kill,power"), ("sync-pl", "kill,power,faults"),
      ("sync-pd", "kill,power,faults"),
    ]

    /// The number of states limits the sample, not the time, so slow machines test the same states.
    @Test(arguments: sample)
    func `every store fulfils its guarantees in a sample of crash states`(
      store: String, models: String
    )
      async throws
    {
      let result = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", models, "--seconds", "300", "--states",
        store.hasPrefix("migration") || store.hasPrefix("sync") ? "30" : "80", "--second", "3",
        "--faults", "30", "--seed",
        "1")

      #expect(result.status == 0, "\(result.output)")
    }

    @Test(arguments: [
      ("flawed-unflushed", "power"), ("flawed-in-place", "kill"), ("flawed-halves", "kill"),
      ("flawed-forgetful", "kill"), ("flawed-forgetful", "power"),
    ])
    func `the crash test detects a store that violates a guarantee after a crash`(
      store: String, model: String
    ) async throws {
      let result = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", model, "--states", "120", "--seed", "1")

      #expect(result.status == 1, "\(result.output)")
      #expect(result.lines.contains { $0.contains("again: ") }, "\(result.output)")
    }

    @Test(arguments: [
      ("flawed-deaf", "although a flush had failed", "lost"),
      ("flawed-stubborn", "for the writer and", "differs"),
    ])
    func `the crash test detects a store that violates a guarantee after a failed system call`(
      store: String, text: String, verdict: String
    ) async throws {
      let result = try await KillWriterTool.run(
        "crash", "run", "--only", store, "--models", "faults", "--faults", "40", "--calls",
        "fsync", "--seed", "1")

      #expect(result.status == 1, "\(result.output)")
      #expect(
        result.lines.contains { $0.contains(": \(verdict): ") && $0.contains(text) },
        "\(result.output)")
    }

    @Test
    func `the crash test reports an abort of the writer after a failed system call and continues`()
      async throws
    {
      let result = try await KillWriterTool.run(
        "crash", "run", "--only", "flawed-aborting", "--models", "faults", "--faults", "40",
        "--calls", "fsync,rename", "--seed", "1")

      #expect(result.status == 1)
      #expect(
        result.lines.filter { $0.contains("the writer was terminated by signal 6") }.count > 1,
        "\(result.output)")
      #expect(result.lines.contains { $0.contains(" 40 of ") }, "\(result.output)")
    }

    @Test func `a crash test report contains a command that reproduces the failing state`()
      async throws
    {
      let result = try await KillWriterTool.run(
        "crash", "run", "--only", "flawed-in-place", "--models", "kill", "--states", "60")
      let line = try #require(result.lines.first { $0.contains("again: ") })
      let command = try #require(line.split(separator: "again: ").last)
      let arguments = command.split(separator: " ").dropFirst().map(String.init)

      let again = try await KillWriterTool.run(arguments)

      #expect(again.status == 1)
      #expect(again.output.hasPrefix("flawed-in-place: "), "\(again.output)")
    }

    @Test func `a store without flaws passes the crash test`() async throws {
      let result = try await KillWriterTool.run(
        "crash", "run", "--only", "sheet", "--seconds", "5", "--states", "200", "--second", "2",
        "--faults", "40")

      #expect(result.status == 0, "\(result.output)")
    }

    @Test(arguments: [
      (
        ["--only", "sheet,nowhere"], "cannot find the store \"nowhere\": the stores are settings-pl"
      ),
      (["run", "--models", "nope"], "the possible values are kill, power, second, faults"),
      (["run", "--calls", "sync"], "the possible values are open, write, fsync"),
      (
        ["run", "--color", "yes"],
        "cannot use the option \"--color\": the command \"run\" has the options --only"
      ),
      (["run", "--seed", "-1"], "the value is not an integer from 0 to 9223372036854775807"),
      (
        ["mend"],
        "cannot run the command \"mend\": the commands are run, ext4, check, fault, list, help"
      ),
      (
        ["fault", "--store", "sheet", "--call", "foo"], "cannot inject faults into the call \"foo\""
      ),
      (
        ["fault", "--store", "sheet", "--call", "fsync", "--number", "9999"],
        "the number of calls of fsync by the writer of the store \"sheet\" is 54, but --number"
      ),
      (
        ["--only", "flawed-elsewhere"],
        "changed no file in the folder that was passed to the writer"
      ),
    ])
    func `the crash command rejects a wrong argument with an error that lists the valid arguments`(
      arguments: [String], text: String
    ) async throws {
      let result = try await KillWriterTool.run(["crash"] + arguments)

      #expect(result.status == 2)
      #expect(result.lines.contains { $0.contains(text) }, "\(result.output)")
      #expect(!result.lines.contains { $0.contains("failing states") })
    }

    @Test func `the help of the crash command lists every option and exits with status 0`()
      async throws
    {
      let result = try await KillWriterTool.run("crash", "run", "--help")

      #expect(result.status == 0)
      for option in ["--only", "--models", "--seconds", "--seed", "--required", "--number"] {
        #expect(result.lines.contains { $0.contains(option) }, "\(option)")
      }
    }

    @Test func `an injected fault without an error number is reported as an input/output error`()
      async throws
    {
      let result = try await KillWriterTool.run(
        "crash", "fault", "--store", "flawed-deaf", "--call", "fsync", "--number", "9")

      #expect(result.status == 1)
      #expect(
        result.lines.contains { $0.contains("Input/output error: lost: batch") }, "\(result.output)"
      )
    }
  }
}
