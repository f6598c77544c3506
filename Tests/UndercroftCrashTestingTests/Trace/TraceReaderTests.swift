import Testing
import UndercroftCrashTesting

@Suite struct TraceReaderTests {
  /// Parses strace lines about the folder "/lib", with quoted text converted to hexadecimal.
  private func trace(_ lines: String..., before model: DiskModel = DiskModel()) throws -> Trace {
    let text = lines.map { line in
      line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
        .map { index, part in
          index % 2 == 0 ? String(part) : "\"" + hexadecimal(String(part)) + "\""
        }.joined()
    }.joined(separator: "\n")
    return try TraceReader.trace(
      of: StraceText.calls(in: Array(text.utf8)), under: "/lib", before: model)
  }

  private func hexadecimal(_ text: String) -> String {
    text.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func text(_ path: String, in model: DiskModel) -> String? {
    model.paths.first { $0.path == path }.map {
      String(decoding: model.nodes[$0.node].bytes, as: UTF8.self)
    }
  }

  // O_RDWR | O_CREAT is 0x42, O_APPEND 0x400, O_TRUNC 0x200.

  @Test func `duplicated descriptors of a traced file share one file offset`() throws {
    let trace = try trace(
      "1 openat(-100, '/lib/book', 0x42, 0600) = 3", "1 write(3, 'abc', 3) = 3", "1 dup(3) = 4",
      "1 write(4, 'de', 2) = 2", "1 pwrite64(3, 'X', 1, 0) = 1", "1 write(3, 'f', 1) = 1",
      "1 lseek(3, 1, 0) = 1", "1 write(4, 'Y', 1) = 1")

    #expect(text("book", in: trace.after) == "XYcdef")
  }

  @Test
  func `a trace reader applies writes to a file that mknodat created and openat opened`()
    throws
  {
    let trace = try trace(
      "1 mknodat(-100, '/lib/book', 0100600, 0) = 0", "1 openat(-100, '/lib/book', 0x2) = 3",
      "1 write(3, 'abc', 3) = 3")

    #expect(text("book", in: trace.after) == "abc")
  }

  @Test func `a traced descriptor in append mode writes at the end of the file`() throws {
    let trace = try trace(
      "1 openat(-100, '/lib/book', 0x442, 0600) = 3", "1 write(3, 'abc', 3) = 3",
      "1 pwrite64(3, 'd', 1, 0) = 1", "1 ftruncate(3, 2) = 0", "1 write(3, 'e', 1) = 1")

    #expect(text("book", in: trace.after) == "abe")
  }

  @Test func `in a trace, threads share one descriptor table, and a child process gets a copy`()
    throws
  {
    let trace = try trace(
      "1 openat(-100, '/lib/book', 0x42, 0600) = 3",
      "1 clone3({flags=0x400, stack=0x7f}, 88) = 2", "2 write(3, 'a', 1) = 1",
      "1 clone(child_stack=NULL, flags=0x1200011, child_tidptr=0x7f) = 5", "5 close(3) = 0",
      "1 write(3, 'b', 1) = 1")

    #expect(text("book", in: trace.after) == "ab")
  }

  @Test
  func `a traced thread can open and write a file before the clone3() call of its creator returns`()
    throws
  {
    let trace = try trace(
      "1 clone3({flags=0x400, stack=0x7f}, 88) = 2",
      "2 clone3({flags=0x400, stack=0x7f}, 88 <unfinished ...>",
      "3 openat(-100, '/lib/book', 0x42, 0600) = 3", "3 write(3, 'a', 1) = 1",
      "2 <... clone3 resumed>) = 3", "3 write(3, 'b', 1) = 1")

    #expect(text("book", in: trace.after) == "ab")
  }

  @Test func `a traced path relative to an open folder is resolved to the file in that folder`()
    throws
  {
    let trace = try trace(
      "1 mkdir('/lib/house', 0700) = 0", "1 openat(-100, '/lib/house', 0x10000) = 3",
      "1 openat(3, 'new', 0x42, 0600) = 4", "1 write(4, 'a', 1) = 1",
      "1 linkat(3, 'new', 3, 'second', 0) = 0", "1 renameat(3, 'new', 3, 'book') = 0",
      "1 unlinkat(3, 'second', 0) = 0")

    #expect(trace.after.paths.map(\.path) == ["house", "house/book"])
  }

  @Test
  func `a traced path that begins with .. is resolved relative to the parent of the open folder`()
    throws
  {
    let trace = try trace(
      "1 mkdir('/lib/house', 0700) = 0", "1 openat(-100, '/lib/house', 0x10000) = 3",
      "1 openat(3, '..', 0x10000) = 4", "1 openat(4, '..', 0x10000) = 5", "1 fsync(4) = 0",
      "1 fsync(5) = 0", "1 openat(3, '../book', 0x42, 0600) = 6")

    #expect(trace.operations.contains(.flush(node: DiskModel.root, before: 1)))
    #expect(trace.operations.count == 3)
    #expect(trace.after.paths.map(\.path) == ["book", "house"])
  }

  @Test
  func `reading a trace ignores a truncation of a file to the current size of the file`() throws {
    let trace = try trace(
      "1 openat(-100, '/lib/book', 0x42, 0600) = 3", "1 write(3, 'abc', 3) = 3",
      "1 ftruncate(3, 3) = 0")

    #expect(trace.operations.count == 2)
  }

  @Test func `SQLite's shared-memory files are ignored in a trace`() throws {
    let trace = try trace(
      "1 openat(-100, '/lib/book-shm', 0x42, 0600) = 3", "1 ftruncate(3, 32768) = 0",
      "1 mmap(NULL, 32768, 0x3, 0x1, 3, 0) = 0x7f", "1 unlink('/lib/book-shm') = 0")

    #expect(trace.operations.isEmpty)
  }

  @Test(arguments: [
    "1 mmap(NULL, 4096, 0x3, 0x1, 3, 0) = 0x7f", "1 io_uring_setup(8, {flags=0}) = 9",
    "1 renameat2(-100, '/lib/book', -100, '/lib/other', 0x2) = 0",
    "1 fsetxattr(3, 'a', 'b', 1, 0) = 0",
    "1 rename('/lib/book', '/elsewhere') = 0", "1 write(3, 'a'..., 900) = 900",
    "1 splice(3, NULL, 3, NULL, 9, 0) = 9", "1 fallocate(3, 0x8, 0, 4096) = 0",
    "1 openat(-100, '/lib/unknown', 0) = 4", "1 chdir('/lib') = 0",
  ])
  func `reading a trace throws an error if a traced call cannot be replayed`(line: String) {
    #expect(throws: TraceError.self) {
      try trace("1 openat(-100, '/lib/book', 0x42, 0600) = 3", line)
    }
  }

  @Test func `reading a trace ignores failed calls and calls outside the traced folder`() throws {
    let trace = try trace(
      "1 openat(-100, '/library/book', 0x42, 0600) = 3", "1 write(3, 'abc', 3) = 3",
      "1 mkdir('/lib/house', 0700) = -1 ENOSPC (No space left on device)", "1 fsync(3) = 0")

    #expect(trace.operations.isEmpty)
  }

  @Test func `a trace records between which operations the writer printed its progress lines`()
    throws
  {
    let trace = try trace(
      "1 write(1, 'B 1\n', 4) = 4", "1 mkdir('/lib/house', 0700) = 0",
      "1 write(1, 'A 1\n', 4) = 4")

    #expect(
      trace.progressLines == [
        .init(position: 0, progress: .begun(1)), .init(position: 1, progress: .acknowledged(1)),
      ])
    #expect(trace.window(at: 0, survivesCrash: true) == BatchWindow(required: 0, begun: 1))
    #expect(trace.window(at: 1, survivesCrash: true) == BatchWindow(required: 1, begun: 1))
    #expect(trace.window(at: 1, survivesCrash: false) == BatchWindow(required: 0, begun: 1))
  }

  @Test
  func `a traced flush covers the operations that ended before the flush began, and no others`()
    throws
  {
    let trace = try trace(
      "1 openat(-100, '/lib/book', 0x42, 0600) = 3", "1 fsync(3 <unfinished ...>",
      "2 write(3, 'abc', 3) = 3", "1 <... fsync resumed>) = 0")

    #expect(trace.operations.last == .flush(node: 1, before: 1))
    #expect(Replay(trace).pending(at: 3) == [0, 1])
  }
}
