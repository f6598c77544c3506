import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftSync

/// Tests of the command `sync` on databases that engines and a server have open.
@Suite struct SyncCommandTests {
  @Test func `status shows the device, the cursors and the numbers of changes of each scope`()
    async throws
  {
    try await withLibrary { folder, library in
      try library.edit(0, "UPDATE book SET title = 'Emma'")
      try expectUnchanged(folder) {
        let row = try #require(InspectorRows.of("sync", "status", library.desk(0).path).first)

        #expect(row["scope"] as? String == "library")
        #expect(row["role"] as? String == "device")
        #expect(row["account"] as? String == "librarian")
        #expect((row["device"] as? String)?.isEmpty == false)
        #expect(row["captured"] as? Int == 1)
        #expect(row["conflicts"] as? Int == 0)
        #expect(row["lag"] as? Int == 0)
        #expect(row["capturesChanges"] as? Bool == true)
        #expect((row["cursor"] as? Int ?? 0) > 0)
      }
    }
  }

  @Test func `status of a server shows its scopes with the numbers of rows and devices`()
    async throws
  {
    try await withLibrary { _, library in
      let row = try #require(InspectorRows.of("sync", "status", library.server.path).first)

      #expect(row["role"] as? String == "server")
      #expect(row["rows"] as? Int == 1)
      #expect(row["devices"] as? Int == 2)
    }
  }

  @Test func `queue lists unsent changes with redacted values, and changes no file`() async throws {
    try await withLibrary { folder, library in
      try library.edit(0, "UPDATE book SET title = 'Emma', loans = loans + 2")
      try library.edit(0, "INSERT INTO book VALUES ('b2', 'Persuasion', 'hunter2', 0)")
      try expectUnchanged(folder) {
        let rows = try InspectorRows.of("sync", "queue", library.desk(0).path)

        #expect(rows.map { $0["row"] as? String } == ["b1", "b2"])
        #expect(rows.map { $0["change"] as? String } == ["update", "insert"])
        #expect(rows.map { $0["state"] as? String } == ["captured", "captured"])
        let values = rows.compactMap { $0["values"] as? [String: Any] }
        #expect(values.first?["title"] as? String == "Emma")
        #expect(values.first?["loans"] as? Int == 2)
        #expect((values.last?["password"] as? String)?.hasPrefix("‹redacted 7 B") == true)
        #expect(rows.allSatisfy { ($0["ageSeconds"] as? Int ?? -1) >= 0 })
      }
    }
  }

  @Test func `queue with a limit shows the oldest changes`()
    async throws
  {
    try await withLibrary { _, library in
      for number in 1...5 {
        try library.edit(0, "INSERT INTO book(id) VALUES (\("c\(number)"))")
      }

      let rows = try InspectorRows.of("sync", "queue", library.desk(0).path, "--limit", "2")

      #expect(rows.map { $0["row"] as? String } == ["c1", "c2"])
    }
  }

  @Test func `the queue of a server is refused with the reason`() async throws {
    try await withLibrary { _, library in
      let answer = try run("sync", "queue", library.server.path)

      #expect(answer.status == 65)
      #expect(answer.errors.contains("the database belongs to a server"))
    }
  }

  @Test func `conflicts lists the lost values, and one conflict with the present row`()
    async throws
  {
    try await withLibrary(policy: TablePolicy(.ask)) { folder, library in
      try library.edit(0, "UPDATE book SET title = 'north', password = 'hunter2'")
      try library.edit(1, "UPDATE book SET title = 'south', password = 'hunter3'")
      try await library.sync()
      let desk = library.desk(1).path
      try expectUnchanged(folder) {
        let rows = try InspectorRows.of("sync", "conflicts", desk)
        let row = try #require(rows.first)
        let identifier = try #require(row["id"] as? String)
        let both = try InspectorRows.of("sync", "conflicts", desk, identifier)
        let server = try InspectorRows.of("sync", "conflicts", library.server.path, identifier)

        #expect(rows.count == 1)
        #expect(row["state"] as? String == "open")
        #expect((row["values"] as? [String: Any])?["title"] as? String == "south")
        #expect((row["message"] as? String)?.contains("policy ask") == true)
        #expect(both.map { $0["entry"] as? String } == ["conflict", "pulled", "visible"])
        #expect((both.last?["values"] as? [String: Any])?["title"] as? String == "north")
        #expect(server.first?["entry"] as? String == "conflict")
        #expect(server.contains { $0["entry"] as? String == "stored" })
        for answer in [rows, both, server] { #expect(!"\(answer)".contains("hunter")) }
      }
    }
  }

  @Test func `explain shows the pulled row, each operation and the visible row of a device`()
    async throws
  {
    try await withLibrary { folder, library in
      try library.edit(0, "UPDATE book SET title = 'Emma', loans = loans + 1")
      try expectUnchanged(folder) {
        let rows = try InspectorRows.of("sync", "explain", library.desk(0).path, "book", "b1")

        #expect(rows.map { $0["entry"] as? String } == ["pulled", "operation", "visible"])
        let titles = rows.map { ($0["values"] as? [String: Any])?["title"] as? String }
        #expect(titles == ["Dune", "Emma", "Emma"], "\(rows)")
        #expect(rows.first?["version"] as? Int == 1)
        #expect(!"\(rows)".contains("opensesame"))
      }
    }
  }

  @Test func `explain on a server shows the operations and the last write of each column`()
    async throws
  {
    try await withLibrary { _, library in
      try library.edit(1, "UPDATE book SET title = 'Emma'")
      try await library.sync()

      let rows = try InspectorRows.of("sync", "explain", library.server.path, "book", "b1")

      let kinds = rows.map { $0["entry"] as? String }
      #expect(kinds.prefix(3) == ["processed", "processed", "stored"])
      let writes = rows.filter { $0["entry"] as? String == "write" }
      #expect(writes.map { $0["id"] as? String } == ["loans", "password", "title"])
      let devices = writes.map { $0["author"] as? String }
      #expect(devices[0] == devices[1] && devices[1] != devices[2])
    }
  }

  @Test func `a row and a conflict that do not exist end with status 66`() async throws {
    try await withLibrary { _, library in
      for database in [library.desk(0), library.server] {
        for arguments in [
          ["explain", "book", "b9"], ["explain", "shelf", "b1"], ["conflicts", "x"],
        ] {
          let answer = try run(["sync", arguments[0], database.path] + arguments.dropFirst())
          #expect(answer.status == 66, "\(arguments): \(answer.errors)")
        }
      }
    }
  }

  @Test func `the digests of two devices and of the server are equal after they synchronised`()
    async throws
  {
    try await withLibrary { folder, library in
      try library.edit(0, "INSERT INTO book(id) VALUES ('b2')")
      try await library.sync()
      try expectUnchanged(folder) {
        let rows = try [library.desk(0), library.desk(1), library.server].flatMap {
          try InspectorRows.of("sync", "digest", $0.path)
        }

        #expect(rows.count == 3)
        #expect(Set(rows.map { $0["digest"] as? String }).count == 1)
        #expect(rows.map { $0["rows"] as? Int } == [2, 2, 2])
        #expect(rows.map { $0["role"] as? String } == ["device", "device", "server"])
      }
    }
  }

  @Test func `all commands read a database while an application writes to it`() async throws {
    try await withLibrary { _, library in
      let writer = try Program(at: "/usr/bin/env").start(
        ["sqlite3", "-bail", library.desk(0).path],
        input: ".timeout 60000\n"
          + String(
            repeating: "INSERT INTO book(id) VALUES (hex(randomblob(16)));\n", count: 1_000))

      for command in ["status", "queue", "conflicts", "digest"] {
        let answer = try run("sync", command, library.desk(0).path, "--limit", "5")
        #expect(answer.status == 0, "\(command): \(answer.errors)")
      }

      let end = try writer.result()
      #expect(end.status == 0, "\(end.errors)")
      try await library.sync()
      #expect(
        try library.databases[1].fetchValue("SELECT count(*) FROM book", as: Int.self) == 1_001)
    }
  }

  @Test func `a database that is not synchronised ends with status 66`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "library.sqlite")
      try SQLiteShell.run("CREATE TABLE book(title)", on: url)

      for command in ["status", "queue", "conflicts", "digest"] {
        let answer = try run("sync", command, url.path)
        #expect(answer.status == 66)
        #expect(answer.errors.contains("is a database that is synchronised"))
      }
    }
  }

  @Test func `status reports only the errors of files that are not databases`() throws {
    try withTemporaryDirectory { home in
      let routes = ["record", "annotation"].map { kind in
        #"""
        {"kind":"\#(kind)","backend":"sqlite","path":"\#(kind)","codec":"json","prefix":"",
        "isConfidential":false}
        """#
      }
      let manifest = #"{"version":1,"routes":[\#(routes.joined(separator: ","))]}"#
      try Data(manifest.utf8).write(to: home.appending(path: "undercroft.json"))
      for kind in ["record", "annotation"] {
        try Data("Emma".utf8).write(to: home.appending(path: kind))
      }

      let answer = try run("sync", "status", home.path)

      #expect(answer.status == 65)
      #expect(answer.errors.split(separator: "\n").count == 2, "\(answer.errors)")
    }
  }

  // MARK: Damaged tables

  @Test(arguments: [
    "ALTER TABLE sync_to_sync DROP COLUMN attempts", "DROP TABLE sync_scope",
    "DROP TABLE sync_clock; CREATE TABLE sync_clock(format); INSERT INTO sync_clock VALUES (2)",
    """
    DROP TABLE sync_scope; CREATE TABLE sync_scope AS SELECT 1 AS scope_id, x'00ff' AS name
    """,
    "DROP TABLE sync_shadow_1", "DROP TABLE book", "DROP TABLE sync_log",
    "UPDATE sync_to_sync SET record_id = 9223372036854775807, timestamp = -9223372036854775808",
    "UPDATE sync_to_sync SET state = 'ready', kind = 'insert', payload = '{\"values\":7'",
    "UPDATE sync_scope SET head = 9223372036854775807, applied_cursor = -9223372036854775808",
    "UPDATE sync_column SET position = 9223372036854775807",
  ])
  func `damaged tables of a device end in a result or an error, never in a crash`(
    damage: String
  ) async throws {
    try await withLibrary { folder, library in
      try library.edit(0, "UPDATE book SET title = 'Emma', loans = loans + 1")
      let copy = folder.appending(path: "copy.sqlite")
      try SQLiteShell.run("VACUUM INTO '\(copy.path)'", on: library.desk(0))
      try SQLiteShell.run("PRAGMA legacy_alter_table = ON; " + damage, on: copy)

      for arguments in [
        ["status", copy.path], ["queue", copy.path], ["conflicts", copy.path],
        ["digest", copy.path], ["explain", copy.path, "book", "b1"],
      ] {
        let answer = try run(["sync"] + arguments)

        #expect([0, 65, 66].contains(answer.status), "\(arguments): \(answer.errors)")
        if answer.status == 65 {
          #expect(answer.errors.contains("cannot"), "\(arguments): \(answer.errors)")
        }
      }
    }
  }

  @Test(arguments: [
    "ALTER TABLE sync_replica DROP COLUMN account", "UPDATE sync_store SET format = 9",
    "UPDATE sync_record SET body = x'7b'", "UPDATE sync_operation SET body = x'00'",
    "DROP TABLE sync_scope", "UPDATE sync_scope SET live_rows = -5, hlc = -1, head = -1",
  ])
  func `damaged tables of a server end in a result or an error, never in a crash`(
    damage: String
  ) async throws {
    try await withLibrary { folder, library in
      let copy = folder.appending(path: "copy.sqlite")
      try SQLiteShell.run("VACUUM INTO '\(copy.path)'", on: library.server)
      try SQLiteShell.run(damage, on: copy)

      for arguments in [
        ["status", copy.path], ["conflicts", copy.path], ["digest", copy.path],
        ["explain", copy.path, "book", "b1"],
      ] {
        let answer = try run(["sync"] + arguments)

        #expect([0, 65, 66].contains(answer.status), "\(arguments): \(answer.errors)")
      }
    }
  }

  private func withLibrary(
    policy: TablePolicy = TablePolicy(),
    _ body: (_ folder: URL, _ library: SyncedLibrary) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let library = try await SyncedLibrary(in: folder, policy: policy)
      try await body(folder, library)
    }
  }
}
