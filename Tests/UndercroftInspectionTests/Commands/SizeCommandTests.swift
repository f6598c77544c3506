import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests of the commands that show sizes: `top`, `du` and `stat`.
@Suite struct SizeCommandTests {
  @Test func `top lists the largest values and tables first`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("top", "-n", "3")

      #expect(rows.count == 3)
      let sizes = rows.compactMap { $0["bytes"] as? Int }
      #expect(sizes == sizes.sorted(by: >))
      #expect(
        rows.contains { $0["name"] as? String == "cover/emma" && $0["bytes"] as? Int == 5_000 })
      #expect(rows.contains { $0["type"] as? String == "table" })
    }
  }

  @Test func `top writes a bar chart that contains the names`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory.appending(path: "home"))
      let chart = directory.appending(path: "top.svg")

      let answer = try home.run("top", "--svg", "--output", chart.path)
      let repeated = try home.run("top", "--svg", "--output", chart.path)

      #expect(answer.status == 0)
      #expect(answer.output.isEmpty)
      let text = try String(contentsOf: chart, encoding: .utf8)
      #expect(text.contains("cover/emma"))
      #expect(text.hasPrefix("<svg") || text.hasPrefix("<?xml"))
      #expect(repeated.errors.contains("exists already"))
    }
  }

  @Test(arguments: ["top", "du", "stat", "er"])
  func `a chart is written to standard output instead of the rows`(command: String) throws {
    try withTemporaryDirectory { directory in
      let answer = try SampleHome(at: directory).run(command, "--svg")

      #expect(answer.status == 0)
      #expect(answer.output.hasPrefix("<svg") && answer.output.hasSuffix("</svg>\n"))
    }
  }

  @Test(arguments: ["top", "du", "stat"])
  func `a file for rows and a format for a chart are wrong usage`(command: String) throws {
    let file = try run(command, "/", "--output", "chart.svg")
    let format = try run(command, "/", "--svg", "--format", "json")

    #expect([file.status, format.status] == [64, 64])
    #expect(file.errors.contains("--output needs --svg"))
    #expect(format.errors.contains("--svg cannot be combined with --format"))
  }

  @Test func `du adds up the values whose names begin with the same part`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("du", "--kind", "blob")

      let group = try #require(rows.first { $0["group"] as? String == "cover/" })
      #expect(group["count"] as? Int == 2)
      #expect(group["bytes"] as? Int == 5_020)
      #expect(rows.contains { $0["group"] == nil })
    }
  }

  @Test func `du shows all groups outside of a terminal`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      for number in 10..<50 { try home.save("noon", as: "desk\(number).light") }

      let table = try home.run("du", "--kind", "preference")
      let rows = try home.rows("du", "--kind", "preference")

      for number in 10..<50 { #expect(table.output.contains("desk\(number).")) }
      #expect(table.errors.isEmpty)
      #expect(rows.count == table.output.split(separator: "\n").count - 1)
    }
  }

  @Test func `du counts all files of a folder, and none that only have a similar name`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let before = try Self.groupBytes(home.rows("du", "--kind", "blob"))
      let covers = directory.appending(path: try home.fileName(of: "blob"))
      for number in 0..<10_050 {
        try Data("123".utf8).write(to: covers.appending(path: "page\(number)"))
      }
      let settings = try home.fileName(of: "preference")
      try Data(count: 1_000_000).write(to: directory.appending(path: settings + ".backup"))

      let blobs = try home.rows("du", "--kind", "blob", "--limit", "20000")
      let preferences = try home.rows("du", "--kind", "preference", "--depth", "0")

      let whole = try #require(blobs.first { $0["group"] == nil }?["bytes"] as? Int)
      let sum = Self.groupBytes(blobs)
      #expect(sum == before + 30_150)
      #expect(whole >= sum && whole < sum + 4_096)
      #expect(try #require(preferences.first?["bytes"] as? Int) < 100_000)
    }
  }

  /// Returns the total size of the groups in the rows of `du`.
  private static func groupBytes(_ rows: [[String: Any]]) -> Int {
    rows.filter { $0["group"] != nil }.compactMap { $0["bytes"] as? Int }.reduce(0, +)
  }

  @Test func `du lists the stores before their groups, and then the total`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let table = try home.run("du").output.split(separator: "\n")
      let rows = try home.rows("du")
      let one = try home.run("du", "--kind", "blob").output

      let stores = rows.filter { $0["group"] == nil }
      #expect(rows.prefix(stores.count).allSatisfy { $0["group"] == nil })
      #expect(table.dropFirst().prefix(stores.count).allSatisfy { $0.hasSuffix("(whole store)") })
      let last = try #require(table.last).split(separator: " ")
      let count = stores.compactMap { $0["count"] as? Int }.reduce(0, +)
      #expect(last.suffix(3) == ["\(count)", "total", "-"])
      #expect(!one.contains("total"))
    }
  }

  @Test func `du with the depth 0 shows only stores`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let rows = try home.rows("du", "--depth", "0")
      let stores = try home.rows("du").filter { $0["group"] == nil }

      #expect(rows.count == stores.count && !rows.isEmpty)
      #expect(rows.allSatisfy { $0["group"] == nil })
    }
  }

  @Test func `du says that a store compresses its values if they are larger than its file`() throws
  {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let graph = String(repeating: "Dune follows Emma. ", count: 1_000)
      let loans = StorageKey("loans", kind: .archive, default: "")
      try Storage(home: directory).save(graph, for: loans)

      let table = try home.run("du").output.split(separator: "\n")

      let archive = table.filter { $0.contains(" archive ") }
      #expect(archive.first?.hasSuffix("(whole store, compressed)") == true, "\(archive)")
      #expect(table.contains { $0.contains(" blob ") && $0.hasSuffix("(whole store)") })
    }
  }

  @Test func `ls, stat and du count the same tables, also a virtual one`() throws {
    try withSampleDatabase(
      "CREATE TABLE book(title TEXT); CREATE VIRTUAL TABLE page USING fts5(body);"
    ) { url in
      let listed = try InspectorRows.of("ls", url.path).first?["tables"] as? Int
      let counted = try InspectorRows.of("stat", url.path).first?["tables"] as? Int
      let groups = try InspectorRows.of("du", url.path)
      let whole = try InspectorRows.of("du", url.path, "--depth", "0").first?["count"] as? Int

      let tables = try #require(listed)
      #expect(tables > 2)
      #expect(counted == tables)
      #expect(groups.first?["count"] as? Int == tables)
      #expect(whole == tables)
      #expect(!groups.contains { $0["group"] as? String == "page" })
    }
  }

  @Test(arguments: ["ls", "stat", "top", "du"])
  func `sizes have units for people, and are numbers of bytes for programs`(
    command: String
  ) throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)

      let table = try home.run(command).output
      let rows = try home.rows(command)

      let heading = try #require(table.split(separator: "\n").first).split(separator: " ")
      #expect(heading.contains("size") && !heading.contains("bytes"))
      #expect(table.contains(" kB "))
      #expect(rows.contains { ($0["bytes"] as? Int ?? 0) >= 5_000 })
    }
  }

  @Test func `stat shows the number and the sizes of the entries or rows of each kind`() throws {
    try withTemporaryDirectory { directory in
      let rows = try SampleHome(at: directory).rows("stat")

      let blobs = try #require(rows.first { $0["kind"] as? String == "blob" })
      #expect(blobs["entries"] as? Int == 2)
      #expect(blobs["smallest"] as? Int == 20)
      #expect(blobs["largest"] as? Int == 5_000)
      #expect((blobs["types"] as? [String: Int]) == ["binary": 2])
      let records = try #require(rows.first { $0["kind"] as? String == "record" })
      #expect(records["rows"] as? Int == 5)
      #expect(records["tables"] as? Int == 2)
      #expect(records["entries"] == nil)
    }
  }

  @Test func `stat counts the types of values, which it recognises by their first bytes`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "desk")
      let store = try BackendChoice.settings(at: url).open()
      let values: [[UInt8]] = [
        [0x1f, 0x8b, 0x08, 0], [0x1f, 0x8b, 0x07, 0], Array("bplist00".utf8), [0xff, 0xd8, 0xff],
        Array("%PDF-1.7".utf8), Array("PK\u{3}\u{4}".utf8), Array("\"Emma\"".utf8),
      ]
      try store.apply(values.enumerated().map { .set("value/\($0)", Data($1)) })

      let answer = try run("stat", url.path, "--format", "json")

      let row = try #require(try rowsOfJSON(answer.output).first)
      #expect(
        row["types"] as? [String: Int] == [
          "gzip": 1, "binary": 1, "property list": 1, "jpeg": 1, "pdf": 1, "zip": 1, "json": 1,
        ])
    }
  }

  @Test func `the median and the 99th percentile of few values are exact`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let covers = directory.appending(path: try home.fileName(of: "blob"))
      for size in [11, 13, 46] {
        try Data(count: size).write(to: covers.appending(path: "page\(size)"))
      }

      let row = try #require(try home.rows("stat", "--kind", "blob").first)
      let table = try home.run("stat", "--kind", "blob").output

      #expect(row["median"] as? Int == 20)
      #expect(row["p99"] as? Int == 5_000)
      #expect(row["sampledValues"] == nil)
      #expect(!table.contains("≤") && !table.contains("of the first"))
    }
  }

  @Test func `stat marks the ends of ranges and the types of a part of the values`() throws {
    try withTemporaryDirectory { directory in
      let home = try SampleHome(at: directory)
      let covers = directory.appending(path: try home.fileName(of: "blob"))
      for number in 0..<1_100 {
        try Data("123".utf8).write(to: covers.appending(path: "page\(number)"))
      }

      let row = try #require(try home.rows("stat", "--kind", "blob").first)
      let table = try home.run("stat", "--kind", "blob").output

      #expect(row["entries"] as? Int == 1_102)
      #expect(row["median"] as? Int == 3)
      #expect(row["sampledValues"] as? Int == 1_000)
      #expect((row["types"] as? [String: Int])?.values.reduce(0, +) == 1_000)
      #expect(table.contains("≤ 3 B"))
      #expect(table.contains("(of the first 1000 values)"))
    }
  }
}
