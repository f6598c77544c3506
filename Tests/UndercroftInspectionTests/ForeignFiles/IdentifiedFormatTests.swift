import Foundation
import TestSupport
import Testing
import UndercroftGDBM
import UndercroftInspection

/// Tests of the identification of files that other programs wrote and that the inspector does not
/// open.
@Suite struct IdentifiedFormatTests {
  @Test(arguments: [
    ("mdb_load", "btree", "LMDB environment"),
    ("db5.3_load", "btree", "Berkeley DB btree database"),
    ("db5.3_load", "hash", "Berkeley DB hash database"),
    ("db5.3_load", "queue", "Berkeley DB queue database"),
  ])
  func `info identifies a database that another program wrote`(
    program: String, type: String, format: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "loans")
      if program == "mdb_load" {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      let header = type == "queue" ? "type=queue\nre_len=10" : "type=\(type)"
      let key = type == "queue" ? "1" : "theme"
      let load = try Program(at: "/usr/bin/env").run(
        [program, url.path],
        input: "VERSION=3\nformat=print\n\(header)\nHEADER=END\n \(key)\n dark\nDATA=END\n")
      try #require(load.status == 0, "\(load.errors)")

      let answer = try run("info", url.path)
      let keys = try run("keys", url.path)

      #expect(answer.status == 0)
      #expect(answer.output.contains(format), "\(answer.output)")
      #expect(keys.status == 66)
      #expect(keys.errors.contains(format), "\(keys.errors)")
      #expect(keys.errors.contains("_dump"))
    }
  }

  @Test(arguments: [
    ("plistlib.dump({'a': 1}, open(path, 'wb'), fmt=plistlib.FMT_BINARY)", "binary property list"),
    ("plistlib.dump({'a': 1}, open(path, 'wb'))", "XML property list"),
    ("zipfile.ZipFile(path, 'w').writestr('book', 'Emma')", "ZIP archive"),
    ("with tarfile.open(path, 'w') as tar: tar.addfile(tarfile.TarInfo('book'))", "tar archive"),
    ("gzip.open(path, 'wb').write(b'Emma')", "gzip data"),
    ("json.dump({'title': 'Emma'}, open(path, 'w'))", "JSON text"),
    ("open(path, 'wb').write(os.urandom(8192))", "encrypted SQLite database"),
    ("open(path, 'wb').write(os.urandom(5000))", "encrypted or compressed data"),
    ("open(path, 'w').write('a list of books')", "plain text"),
  ])
  func `info identifies a file that Python wrote`(statement: String, format: String) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "file")
      try runPython(
        """
        import gzip, json, os, plistlib, sys, tarfile, zipfile
        path = sys.argv[1]
        \(statement)
        """, url.path)

      let answer = try run("info", url.path)

      #expect(answer.status == 0, "\(answer.errors)")
      #expect(answer.output.contains(format), "\(answer.output)")
    }
  }

  @Test func `info reports the size and the files of a file that is not a store`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "books.txt")
      try Data("a list of books".utf8).write(to: url)

      let answer = try run("info", url.path, "--format", "json")

      let rows = try #require(
        JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]])
      #expect(rows.map { $0["bytes"] as? Int } == [15])
      #expect(rows.map { ($0["files"] as? [Any])?.count } == [1])
      #expect(rows.map { $0["tables"] as? Int } == [nil])
    }
  }

  @Test func `the settings of an Android application are identified`() throws {
    let file = """
      <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
      <map>
          <string name="theme">dark</string>
          <int name="loans" value="3" />
          <boolean name="reminders" value="true" />
      </map>
      """

    #expect(try name(of: Data(file.utf8))?.contains("shared_prefs") == true)
  }

  @Test(
    arguments: [
      ("{ title = Emma; }", "old-style property list"),
      ("{\n  \"a \\\" title\" = (Emma, <00ff>);\n}", "old-style property list"),
      ("{ n = <*I5>; }", "old-style property list"), ("{", "JSON text"), ("{}", "JSON text"),
      ("{ = }", "JSON text"), (#"{"title": "a = b"}"#, "JSON text"), (#"{"a"#, "JSON text"),
    ])
  func `an old-style property list is distinguished from JSON`(
    text: String, format: String
  ) throws {
    #expect(try name(of: Data(text.utf8)) == format)
  }

  @Test func `an XML property list is identified in each encoding that tree reads`() throws {
    func list(_ encoding: String) -> String {
      "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<plist><string>Zoë</string></plist>\n"
    }
    let files = [
      list("UTF-8").data(using: .utf8), list("ISO-8859-1").data(using: .isoLatin1),
      list("UTF-16").data(using: .utf16), list("UTF-16").data(using: .utf16LittleEndian),
      list("UTF-16").data(using: .utf16BigEndian),
    ]

    for file in files {
      #expect(try name(of: try #require(file)) == "XML property list")
    }
  }

  @Test func `an MMKV store is identified by the checksum file beside it`() throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "mmkv.default")
      let content = Data([19, 0, 0, 0]) + Data("\u{0}\u{5}theme\u{5}\u{4}dark".utf8)
      try (content + Data(count: 4_096 - content.count)).write(to: url)
      #expect(try name(at: url) == nil)

      try Data([1, 2, 3, 4, 3, 0, 0, 0] + Array(repeating: 0, count: 4_088))
        .write(to: directory.appending(path: "mmkv.default.crc"))

      #expect(try name(at: url) == "MMKV store")
      let checksum = directory.appending(path: "mmkv.default.crc")
      #expect(try name(at: checksum) == "checksum of an MMKV store")
    }
  }

  @Test func `folders of LevelDB and RocksDB are identified by their files`() throws {
    try withTemporaryDirectory { directory in
      try Data("MANIFEST-000004\n".utf8).write(to: directory.appending(path: "CURRENT"))
      #expect(try name(at: directory) == "LevelDB database")

      try Data("57a0b0a1".utf8).write(to: directory.appending(path: "IDENTITY"))
      #expect(try name(at: directory) == "RocksDB database")
    }
  }

  @Test(arguments: [
    "000005.ldb", "000007.log", "CURRENT", "LOCK", "LOG", "LOG.old", "MANIFEST-000004",
  ])
  func `a file of a LevelDB database is a part of it, even if the file is empty`(
    part: String
  ) throws {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: part)
      try Data().write(to: url)
      #expect(try name(at: url) == "empty file")

      try Data("MANIFEST-000004\n".utf8).write(to: directory.appending(path: "CURRENT"))

      #expect(try name(at: url) == "part of a LevelDB database")
      let other = directory.appending(path: "books.txt")
      try Data("a list of books".utf8).write(to: other)
      #expect(try name(at: other) == "plain text")
    }
  }

  @Test func `the lock file of an LMDB environment suggests the folder`() throws {
    try withTemporaryDirectory { directory in
      let data = Data(count: 16) + Data([0xde, 0xc0, 0xef, 0xbe]) + Data(count: 4_076)
      try data.write(to: directory.appending(path: "data.mdb"))
      let url = directory.appending(path: "lock.mdb")
      try Data(count: 8_192).write(to: url)

      let answer = try run("keys", url.path)

      #expect(answer.status == 66)
      #expect(answer.errors.contains("part of an LMDB environment"), "\(answer.errors)")
      #expect(answer.errors.contains("pass the path of the folder"))
    }
  }

  @Test func `the log and the index beside a SQLite database are identified`() throws {
    try withTemporaryDirectory { directory in
      try runPython(
        """
        import os, sqlite3, sys
        connection = sqlite3.connect(sys.argv[1])
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE book(title)")
        os._exit(0)
        """, directory.appending(path: "library").path)

      let formats = [("-wal", "write-ahead log"), ("-shm", "index of a write-ahead log")]
      for (suffix, format) in formats {
        let answer = try run("keys", directory.appending(path: "library" + suffix).path)

        #expect(answer.status == 66)
        #expect(answer.errors.contains(format), "\(answer.errors)")
      }
    }
  }

  @Test(
    arguments: [
      ([], nil), ([0], nil), (Array("T-D".utf8), "plain text"),
      (Array(repeating: 0, count: 16) + Array("T-DB".utf8), "Realm database"),
      (Array("SQLite format 3\0".utf8), "truncated SQLite database"),
      (Array(repeating: 0xff, count: 600), nil), ([0xc5], nil),
      ([0x1f, 0x8b, 0x08], "gzip data"), ([0x1f, 0x8b, 0x07], nil),
      // The last bytes of a longer file may be the beginning of a character.
      (Array(repeating: 0x61, count: 511) + [0xc5, 0xbe], "plain text"),
    ] as [([UInt8], String?)])
  func `bytes are identified without reading beyond their end`(
    bytes: [UInt8], format: String?
  ) throws {
    let found = try name(of: Data(bytes))

    #expect(found == (bytes.isEmpty ? "empty file" : format))
  }

  private func name(of bytes: Data) throws -> String? {
    try withTemporaryDirectory { directory in
      let url = directory.appending(path: "file")
      try bytes.write(to: url)
      return try name(at: url)
    }
  }

  private func name(at url: URL) throws -> String? {
    Inspector([.gdbm]).identifiedFormat(at: url)?.name
  }
}
