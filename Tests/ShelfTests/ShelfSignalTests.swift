import Foundation
import TestSupport
import Testing
import Undercroft

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct ShelfSignalTests {
  @Test(.heavy, arguments: [SIGINT, SIGKILL])
  func `an import interrupted at any moment leaves either all old rows or all new rows`(
    signal: Int32
  ) throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "status")
      let home = directory.appending(path: "home")
      let arguments = [file.path, "--home", home.path, "--no-changelogs"]
      try ShelfProcess.input(2_000, version: 0).write(to: file)
      let start = ContinuousClock.now
      #expect(try ShelfProcess.run(arguments).status == 0)
      let whole = ContinuousClock.now - start

      // Moments are fractions of a whole run, so that they fall within a run on any machine.
      for moment in 1...8 {
        try ShelfProcess.input(2_000, version: moment).write(to: file)
        let running = try ShelfProcess.start(arguments)
        usleep(UInt32(clamping: Int(whole / .microseconds(1)) * moment / 9))
        running.send(signal)
        let result = try running.result()
        if signal == SIGINT, !result.wasKilledBySignal {
          #expect(result.status == 0 || result.status == 130, "\(result.errors)")
        }
        #expect(try Self.versions(in: home).count == 1)
      }
      let last = try ShelfProcess.run(arguments)
      #expect(last.status == 0, "\(last.errors)")
      #expect(try Self.versions(in: home) == ["8"])
      #expect(try ShelfProcess.run(arguments).output.contains("2000 packages: nothing changed"))
    }
  }

  /// The versions of the rows in a home.
  private static func versions(in home: URL) throws -> [String] {
    try Storage(home: home).database(for: .record).read { db in
      try db.fetchAll("SELECT DISTINCT version FROM software") { row in try row[0] as String }
    }
  }

  @Test func `Ctrl-C ends an import between two steps with one line of output and status 130`()
    throws
  {
    try withTemporaryDirectory { directory in
      let pipe = directory.appending(path: "pipe").path
      try #require(mkfifo(pipe, 0o600) == 0)
      // Open for reading and writing, so that the pipe never breaks.
      let feed = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      try #require(feed >= 0)
      defer { close(feed) }
      let home = directory.appending(path: "home").path
      let running = try ShelfProcess.start([pipe, "--home", home, "--no-changelogs"])
      try Self.write(ShelfProcess.input(100, version: 1), to: feed)
      // The process handles signals once it has read the input.
      while running.isRunning, Self.waiting(in: feed) > 0 { usleep(1_000) }
      running.send(SIGINT)
      // The process checks for the signal at its next step, for which it needs input.
      let hasEnded = try waitUntil {
        try Self.write(ShelfProcess.input(1, version: 1), to: feed)
        return !running.isRunning
      }
      #expect(hasEnded)
      if !hasEnded { running.send(SIGKILL) }
      let result = try running.result()

      #expect(result.status == 130)
      #expect(result.output.isEmpty)
      #expect(
        result.errors.split(separator: "\n").last
          == """
          shelf: cannot complete the command: the command was interrupted, and the changes that \
          it saved before the interruption remain; run the command again to complete it
          """)
      #expect(try ShelfProcess.run(["search", "book", "--home", home]).status == 1)
    }
  }

  /// Writes as many bytes as the pipe has room for.
  private static func write(_ bytes: Data, to descriptor: Int32) throws {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    try #require(count > 0 || errno == EAGAIN)
  }

  private static func waiting(in descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
  }
}
