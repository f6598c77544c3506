#if SyncHTTP && SyncServer
  import Foundation
  import TestSupport
  import Testing

  /// Tests of the script that `make demo-sync` runs.
  @Suite(.heavy, .timeLimit(.hangLimit)) struct SyncDemoTests {
    private let directory: TemporaryDirectory
    private let programs: URL

    init() throws {
      directory = try TemporaryDirectory()
      programs = try Program(built: "shelf").url.deletingLastPathComponent()
    }

    /// Starts the demo with the programs in a folder.
    private func start(_ programs: URL) throws -> RunningProgram {
      let script = GuideSession.root.appending(path: "Sources/Shelf/demo-sync").path
      return try Program(at: "/bin/sh").start([script, programs.path, directory.file("demo")])
    }

    /// The log of the server that the demo has started last, or an empty text.
    private var serverLog: String { (try? directory.read("demo/server.log")) ?? "" }

    @Test func `the demo ends with two equal homes, and the guide shows its output`() throws {
      let guide = try GuideSession("SyncingOverANetwork.md")
      let shown = #/(```console\n\$ make demo-sync\n)[\s\S]*?(```\n)/#
      try #require(guide.text.contains(shown))

      let result = try start(programs).result()

      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("\nno conflicts\n$ diff first.txt second.txt\n\n"))
      let homes = try ["first.txt", "second.txt"].map { try directory.read("demo/\($0)") }
      #expect(homes[0] == homes[1])
      #expect(homes[0].contains("used offline"))
      #expect(serverLog.contains("\"message\":\"stopped\""))
      let output = result.output
        .replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:8090")
        .replacing(#/--port [1-9]\d*/#, with: "--port 8090")
        .replacing(#/--restore [0-9a-f]{8}/#, with: "--restore 3f9c01d2")
        .replacing(#/(?m)^[0-9a-f]{8}  /#, with: "3f9c01d2  ")
      try guide.expect(guide.text.replacing(shown) { $0.1 + output + $0.2 })
    }

    @Test func `the demo fails if the homes differ at the end, and stops the server`() throws {
      // A `shelf` that does not synchronise the second home after the answer to the conflict.
      let folder = directory.url.appending(path: "programs")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let shelf = folder.appending(path: "shelf")
      try Data(
        """
        #!/bin/sh
        case "$*" in
          "conflicts --restore "*) touch "$0.answered" ;;
          "sync --home second") [ ! -e "$0.answered" ] || exit 0 ;;
        esac
        exec '\(programs.path)/shelf' "$@"
        """.utf8
      ).write(to: shelf)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: shelf.path)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "undercroft-sync-server"),
        withDestinationURL: programs.appending(path: "undercroft-sync-server"))

      let result = try start(folder).result()

      #expect(result.status == 1)
      #expect(result.errors.contains("demo-sync: the homes differ"))
      #expect(serverLog.contains("\"message\":\"stopped\""))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends the demo and its server`(signal: Int32) throws {
      let running = try start(programs)
      while running.isRunning, !serverLog.contains("\"message\":\"listening\"") { usleep(1_000) }

      running.send(signal)
      let result = try running.result()

      #expect(result.status == 128 + signal)
      #expect(serverLog.contains("\"message\":\"stopped\""))
    }
  }
#endif
