import Foundation
import TestSupport
import Testing

/// Tests of `tree` on property lists by Python and `plutil`, and on archives by Foundation.
@Suite struct ForeignPropertyListTests {
  private static let shelf = """
    import datetime, plistlib, sys
    shelf = {"name": "Žít 書庫", "open": True, "books": ["Emma", "Dune"], "loans": 2**40,
        "debt": -3, "rate": 0.25, "since": datetime.datetime(2026, 1, 2, 3, 4, 5),
        "stamp": b"\\x00\\xff", "id": plistlib.UID(7), "deep": {"a": [{"b": [[]]}]},
        "large": 2**63}
    kind = plistlib.FMT_XML if sys.argv[2] == "xml" else plistlib.FMT_BINARY
    if sys.argv[2] == "xml": del shelf["id"]
    plistlib.dump(shelf, open(sys.argv[1], "wb"), fmt=kind)
    """

  @Test(arguments: ["xml", "binary"])
  func `tree shows a property list that plistlib wrote`(format: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "shelf.plist")
      try runPython(Self.shelf, url.path, format)

      let answer = try run("tree", url.path)

      #expect(answer.status == 0, "\(answer.errors)")
      let numbers = ["1099511627776", "-3", "0.25", "2026-01-02", "9223372036854775808"]
      for text in ["Žít 書庫", "Dune"] + numbers {
        #expect(answer.output.contains(text), "\(text) in \(answer.output)")
      }
    }
  }

  @Test(arguments: ["xml1", "binary1"])
  func `tree shows the same tree after plutil converted a property list`(format: String) throws {
    try withTemporaryDirectory { directory in
      let (url, other) = (directory.appending(path: "a"), directory.appending(path: "b"))
      try runPython(Self.shelf.replacing("2**63", with: "1"), url.path, "xml")
      // The plutil of GNUstep, which can be earlier in PATH, has other options.
      let plutil = try Program(at: "/bin/sh").run(
        [
          "-c", #"exec "$(dirname "$(command -v swift)")/plutil" "$@""#, "plutil",
          "-convert", format, "-o", other.path, url.path,
        ])
      try #require(plutil.status == 0, "\(plutil.errors)")

      let answers = try [url, other].map { try run("tree", $0.path) }

      #expect(answers.map(\.status) == [0, 0])
      // plutil sorts the keys, so the commas follow other elements.
      let lines = answers.map { $0.lines.map { $0.replacing(/,$/, with: "") }.sorted() }
      #expect(lines[0] == lines[1])
    }
  }

  @Test func `tree shows the objects of an archive that NSKeyedArchiver wrote`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "shelf.archive")
      let shelf: NSDictionary = [
        "title": "Emma", "pages": 474, "readers": ["Ada", "Bob"] as NSArray,
        "due": NSDate(timeIntervalSinceReferenceDate: 0.5), "cover": NSData(data: Data([1, 2, 3])),
        "link": try #require(NSURL(string: "https://library.example/emma")),
      ]
      try NSKeyedArchiver.archivedData(withRootObject: shelf, requiringSecureCoding: false)
        .write(to: url)

      let answer = try run("tree", url.path)

      #expect(answer.status == 0, "\(answer.errors)")
      for text in ["Emma", "474", "Bob", "2001-01-01T00:00:00.500Z", "library.example"] {
        #expect(answer.output.contains(text), "\(text) in \(answer.output)")
      }
      #expect(!answer.output.contains("$objects"), "\(answer.output)")
    }
  }

  @Test func `tree shows all keys of a large property list that plistlib wrote`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "shelf.plist")
      try runPython(
        """
        import plistlib, sys
        shelf = {f"book {n}": n for n in range(60000)}
        plistlib.dump(shelf, open(sys.argv[1], "wb"), fmt=plistlib.FMT_BINARY)
        """, url.path)

      let answer = try run("tree", url.path)

      #expect(answer.status == 0)
      #expect(answer.lines.count == 60_002)
      #expect(answer.errors.isEmpty, "\(answer.errors)")
    }
  }

  @Test func `tree notes how many containers --depth has omitted`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "shelf.plist")
      try runPython(
        """
        import plistlib, sys
        shelf = {"books": [["Emma"], ["Dune"], "Ulysses"], "loans": []}
        plistlib.dump(shelf, open(sys.argv[1], "wb"))
        """, url.path)

      let answer = try run("tree", url.path, "--depth", "2")
      let quiet = try run("tree", url.path, "--depth", "2", "--quiet")

      #expect(answer.status == 0)
      #expect(answer.output.contains("Ulysses"))
      #expect(!answer.output.contains("Emma"))
      #expect(answer.errors.contains("2 containers below level 2 are shown as …"))
      #expect(answer.errors.contains("--depth"))
      #expect(quiet.errors.isEmpty)
    }
  }

  @Test func `tree notes that it omits the rest of a list whose arrays share their elements`()
    throws
  {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "shelf.plist")
      // 330 arrays, which are the same bytes, contain each other.
      try runPython(
        """
        import struct, sys
        count = 330
        content = b"bplist00\\xaf\\x11" + struct.pack(f">{count + 1}H", count, *range(count))
        table = len(content)
        content += b"\\x00\\x08" * count + bytes(6) + b"\\x02\\x02"
        content += struct.pack(">3Q", count, 0, table)
        open(sys.argv[1], "wb").write(content)
        """, url.path)

      let answer = try run("tree", url.path)

      #expect(answer.status == 0)
      #expect(answer.output.contains("…"))
      #expect(answer.errors.contains("all values after the last … are omitted"), "\(answer.errors)")
    }
  }

  @Test func `tree says which command shows a database and a GDBM file`() throws {
    try withTemporaryDirectory { directory in
      let (database, file) = (directory.appending(path: "d"), directory.appending(path: "g"))
      try runPython(
        """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1])
        connection.execute("CREATE TABLE book(title)")
        """, database.path)
      let tool = try Program(at: "/usr/bin/env").run(
        ["gdbmtool", "-n", file.path], input: "store theme dark\n")
      try #require(tool.status == 0, "\(tool.errors)")
      let before = try fileStates(in: directory)

      let answers = try [database, file].map { try run("tree", $0.path) }

      #expect(answers.map(\.status) == [66, 66])
      #expect(answers.map(\.output) == ["", ""])
      #expect(answers[0].errors.contains("sqlite database"), "\(answers[0].errors)")
      #expect(answers[0].errors.contains("undercroft rows"), "\(answers[0].errors)")
      #expect(answers[1].errors.contains("gdbm file"), "\(answers[1].errors)")
      #expect(answers[1].errors.contains("undercroft keys"), "\(answers[1].errors)")
      #expect(try fileStates(in: directory) == before)
    }
  }

  @Test func `get and find show a property list that plistlib wrote into a GDBM file`() throws {
    try withTemporaryDirectory { directory in
      let (url, list) = (directory.appending(path: "p.gdbm"), directory.appending(path: "l"))
      try runPython(
        "import plistlib, sys; plistlib.dump(['Emma'], open(sys.argv[1], 'wb'), sort_keys=False)",
        list.path)
      let text = try String(contentsOf: list, encoding: .utf8)
        .replacing("\n", with: "").replacing("\"", with: "'")
      let tool = try Program(at: "/usr/bin/env").run(
        ["gdbmtool", "-n", url.path], input: "store books \"\(text)\"\nstore theme dark\n")
      try #require(tool.status == 0, "\(tool.errors)")

      #expect(try run("get", url.path, "books").output.contains("Emma"))
      #expect(try run("find", url.path, "Emma").output.contains("books"))
      #expect(try run("query", url.path, "SELECT count(*) AS n FROM gdbm").status == 0)
      #expect(try run("check", url.path).status == 0)
    }
  }
}
