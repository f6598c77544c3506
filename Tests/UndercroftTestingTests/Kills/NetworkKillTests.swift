#if SyncHTTP && SyncServer
  import Foundation
  import TestSupport
  import Testing

  extension HeavyTests {
    @Suite(.serialized) struct NetworkKillTests {
      /// The stores of the server for which the package is built.
      private static var stores: [String] {
        #if SyncPostgres
          ["sqlite", "postgres"]
        #else
          ["sqlite"]
        #endif
      }

      @Test(arguments: stores)
      func `five kills each behind a proxy that disturbs requests lose nothing`(
        store: String
      ) async throws {
        let result = try await KillWriterTool.run("network", "--rounds", "5", "--store", store)

        #expect(result.status == 0, "\(result.output)")
        let summary = try SyncKillSummary(result, of: "network", rounds: 5)
        // A loop that kills before the first change or synchronisation proves nothing.
        #expect(summary.acknowledgedCount >= 10)
        #expect(summary.synchronisationCount >= 1)
        let restarts = result.lines.count { $0.contains("PostgreSQL was restarted") }
        #expect(restarts == (store == "postgres" ? 2 : 0))
      }

      @Test func `killing a faulty client over HTTP reveals the additions that it makes twice`()
        async throws
      {
        let result = try await withTemporaryDirectory { directory in
          try await KillWriterTool.run(
            "network", "--rounds", "20", "--flaw", "adds-twice", "--directory", directory.path)
        }

        #expect(result.status == 1)
        #expect(
          result.lines.contains { $0.firstMatch(of: /[1-9][0-9]* applied twice/) != nil },
          "\(result.lines.suffix(3))")
      }

      @Test func `an interrupted soak compares all devices and leaves no process`() async throws {
        let directory = try TemporaryDirectory()
        let soak = try Program(built: "KillWriter").start([
          "soak", "--devices", "6", "--scopes", "3", "--processes", "2", "--pause", "50",
          "--failed", "10", "--seconds", "3600", "--directory", directory.path,
        ])

        let hasBegun = try await eventually {
          try FileManager.default.subpathsOfDirectory(atPath: directory.path)
            .contains { $0.hasSuffix("counts-1.json") } || !soak.isRunning
        }
        soak.send(SIGINT)
        let result = try await onNewThread { try soak.result() }

        #expect(hasBegun)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(
          result.lines.last
            == "soak: 6 devices, 3 scopes, 0 lost, 0 applied twice, 0 unequal, 0 other errors")
        #expect(try directory.names == [])
        let isGone = try await eventually { try Self.processes(with: directory.path).isEmpty }
        #expect(isGone)
      }

      @Test(
        arguments: [("network", "--disturbed"), ("soak", "--failed")], ["-1", "100.5", "nan"])
      func `a percentage of requests outside 0 to 100 is refused`(
        option: (command: String, name: String), value: String
      ) async throws {
        let result = try await KillWriterTool.run(option.command, "\(option.name)=\(value)")

        #expect(result.status == 64)
        #expect(result.errors.contains("\(option.name) is a percentage from 0 to 100."))
      }

      /// Returns the identifiers of the processes whose arguments contain a text.
      private static func processes(with text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
          guard Int(name) != nil,
            let data = FileManager.default.contents(
              atPath: "/proc/\(name)/cmdline")
          else { return false }
          return data.range(of: Data(text.utf8)) != nil
        }
      }
    }
  }
#endif
