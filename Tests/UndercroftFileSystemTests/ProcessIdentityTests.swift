#if os(Linux)
  import Foundation
  import Testing
  import UndercroftFileSystem

  @Suite struct ProcessIdentityTests {
    @Test func `a running process has not ended, and a killed process has`() throws {
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

    @Test func `a process that got the number of another process is not the other process`() throws
    {
      let current = try #require(ProcessIdentity.current)
      let text = current.text

      let earlier = try #require(ProcessIdentity(text + "0"))

      #expect(!current.hasEnded)
      #expect(earlier.hasEnded)
    }

    @Test func `a process of another system or PID namespace is assumed to be running`() throws {
      let parts = try #require(ProcessIdentity.current).text.split(separator: "/")
      let otherSystem = try #require(ProcessIdentity("0/\(parts[1])/1999999/5"))
      let otherNamespace = try #require(ProcessIdentity("\(parts[0])/pid:[1]/1999999/5"))

      #expect(!otherSystem.hasEnded)
      #expect(!otherNamespace.hasEnded)
    }

    @Test func `an identity is equal to the one that its text describes`() throws {
      let identity = try #require(ProcessIdentity.current)

      #expect(ProcessIdentity(identity.text) == identity)
    }

    @Test(arguments: ["", "engine", "a/b/c/d", "a/b/0/d", "a/b/-1/d", "a/b/1", "a/b/1/d/e"])
    func `a text that is no identity of a process is not read as one`(text: String) {
      #expect(ProcessIdentity(text) == nil)
    }
  }
#endif
