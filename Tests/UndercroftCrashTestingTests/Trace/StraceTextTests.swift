import Testing
import UndercroftCrashTesting

@Suite struct StraceTextTests {
  private func calls(_ lines: String...) throws -> [SystemCall] {
    try StraceText.calls(in: Array(lines.joined(separator: "\n").utf8))
  }

  @Test
  func `parsing a line of strace output yields the call's name, thread, arguments and result`()
    throws
  {
    let line =
      #"7 openat(-100, "\x2f\x61", 0x80000, 0600) = 3"# + "\n"
      + #"7 writev(3, [{iov_base="\x61\x62", iov_len=2}, {iov_base="\x63", iov_len=1}], 2) = 3"#

    let calls = try calls(line)

    #expect(calls.count == 2)
    #expect(calls[0].name == "openat")
    #expect(calls[0].thread == 7)
    #expect(calls[0].number(0) == -100)
    #expect(calls[0].text(1) == "/a")
    #expect(calls[0].number(2) == 0x80000)
    #expect(calls[0].number(3) == 0o600)
    #expect(calls[0].result == 3)
    #expect(
      calls[1].arguments[1]
        == .list([.list([.bytes([97, 98]), .number(2)]), .list([.bytes([99]), .number(1)])]))
  }

  @Test func `the result of a failed system call in strace output is parsed as -1`() throws {
    let calls = try calls(#"7 unlink("\x61") = -1 ENOENT (No such file or directory)"#)

    #expect(calls.map(\.result) == [-1])
  }

  @Test
  func `a call that strace prints in two parts is parsed as one call at the position of its end`()
    throws
  {
    let calls = try calls(
      #"7 fsync(3 <unfinished ...>"#, #"8 write(4, "\x61", 1) = 1"#,
      #"7 <... fsync resumed>) = 0"#)

    #expect(calls.map(\.name) == ["write", "fsync"])
    #expect(calls[1].begin == 0)
    #expect(calls[1].end == 2)
    #expect(calls[1].number(0) == 3)
  }

  @Test
  func `a close() call that strace prints in two parts is ordered by the line of its first part`()
    throws
  {
    let calls = try calls(
      "7 close(3 <unfinished ...>", #"8 openat(-100, "\x61", 0) = 3"#, "7 <... close resumed>) = 0")

    #expect(calls.map(\.name) == ["close", "openat"])
  }

  @Test func `signals and ends of threads in strace output are ignored`() throws {
    let calls = try calls(
      "7 --- SIGCHLD {si_signo=SIGCHLD} ---", "7 +++ exited with 0 +++", "7 exit_group(0) = ?")

    #expect(calls.isEmpty)
  }

  @Test(arguments: [
    "7 ????( <unfinished ...>\n7 +++ killed by SIGKILL +++",
    "7 ???( <unfinished ...>\n7 <... ??? resumed>) = ?", "7 ????() = ? <unavailable>",
    "7 ????(= ? <unavailable>", "7 write( <unavailable>) = ? <unavailable>",
    "7 write(3 <unfinished ...>\n7 <... write resumed> <unfinished ...>) = ?",
  ])
  func `a call that strace could not read because its thread was killed is ignored`(
    lines: String
  ) throws {
    let calls = try calls(lines, "8 fsync(3) = 0")

    #expect(calls.map(\.name) == ["fsync"])
  }

  @Test func `bytes(_:) returns nil for a string argument that strace truncated`() throws {
    let calls = try calls(#"7 write(3, "\x61"..., 900) = 900"#)

    #expect(calls[0].bytes(1) == nil)
  }

  @Test(arguments: ["nonsense", "7 <... fsync resumed>) = 0", "7 write(3, \"\\x6"])
  func `parsing an invalid line of strace output throws an error`(line: String) {
    #expect(throws: TraceError.self) { try calls(line) }
  }
}
