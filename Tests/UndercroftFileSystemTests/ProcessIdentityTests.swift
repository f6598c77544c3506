#if os(Linux)
  import Foundation
  import Testing
  import UndercroftFileSystem

  @Suite struct ProcessIdentityTests {
    @Test
    func `ProcessIdentity.hasEnded is false while the process runs and true after it was killed`()
      throws
    {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sleep")
      process.arguments = ["60"]
      try process.run()
      let identity = try #require(ProcessIdentity(of: process.processIdentifier))

      #expect(!identity.hasEnded)
      #expect(kill(process.processIdentifier, SIGKILL) == 0)
      process.waitUntilExit()
      #expect(identity.hasEnded)
    }

    @Test
    func `hasEnded is true for an ended process even if a running process reuses its process ID`()
      throws
    {
      let current = try #require(ProcessIdentity.current)
      let text = current.text

      let earlier = try #require(ProcessIdentity(text + "0"))

      #expect(!current.hasEnded)
      #expect(earlier.hasEnded)
    }

    @Test func `hasEnded is false for a process with another boot ID or in another PID namespace`()
      throws
    {
      let parts = try #require(ProcessIdentity.current).text.split(separator: "/")
      let otherSystem = try #require(ProcessIdentity("0/\(parts[1])/1999999/5"))
      let otherNamespace = try #require(ProcessIdentity("\(parts[0])/pid:[1]/1999999/5"))

      #expect(!otherSystem.hasEnded)
      #expect(!otherNamespace.hasEnded)
    }

    @Test func `parsing the text of a process identity returns an equal identity`() throws {
      let identity = try #require(ProcessIdentity.current)

      #expect(ProcessIdentity(identity.text) == identity)
    }

    @Test(arguments: ["", "engine", "a/b/c/d", "a/b/0/d", "a/b/-1/d", "a/b/1", "a/b/1/d/e"])
    func `parsing text that does not describe a process identity returns nil`(text: String) {
      #expect(ProcessIdentity(text) == nil)
    }
  }
#endif
