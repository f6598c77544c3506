import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of exported histories, whose form `Docs/Guides/SyncHistory.md` describes.
@Suite struct HistoryExportTests {
  @Test
  func `an exported sync history contains neither values nor identifiers of rows`() async throws {
    let reader = try await readerWithConflict()
    try reader.branch.edit("INSERT INTO book(id, title) VALUES ('secret-4', 'secret title')")
    try reader.engine.perform(
      .update(
        "book", where: .column("title", .equal, .text("secret bound")), ["note": .text("secret")]))

    let text = try export(reader).joined(separator: "\n")

    #expect(!text.contains("secret"))
    #expect(!text.contains(Town.account))
    #expect(text.contains("\"title\""))
    #expect(text.contains("\"bytes\":12"))
  }

  @Test func `an exported sync history lists the replica, tables, operations and conflicts`()
    async throws
  {
    let reader = try await readerWithConflict()
    try reader.branch.edit("UPDATE book SET note = 'secret'")

    let lines = try export(reader)

    #expect(lines.first?.contains(#""line":"replica""#) == true)
    #expect(lines.count { $0.contains(#""line":"table""#) } == 2)
    #expect(lines.count { $0.contains(#""line":"operation""#) } == 1)
    #expect(lines.count { $0.contains(#""line":"conflict""#) } == 1)
    #expect(lines.last == #"{"conflicts":1,"line":"end","operations":1}"#)
  }

  @Test
  func `an exported sync history contains the change of a row whose key is too long to be sent`()
    throws
  {
    let branch = try Town().branch()
    try branch.sync()
    try branch.edit("INSERT INTO book(id, title) VALUES (printf('%2000c', 'x'), 'Dune')")
    try branch.sync()

    var lines: [String] = []
    try branch.replica.exportHistory { lines.append($0) }

    let conflict = try #require(lines.first { $0.contains(#""line":"conflict""#) })
    #expect(conflict.contains(#""set":{"#))
    #expect(conflict.contains(#""title":"#))
    #expect(conflict.contains(#""change":"insert""#))
  }

  @Test
  func `equal values have equal fingerprints within one exported sync history only`() async throws {
    let reader = try await readerWithConflict()
    try reader.branch.edit("UPDATE book SET note = 'secret south'")

    let lines = try export(reader)

    let operation = try #require(lines.first { $0.contains(#""line":"operation""#) })
    let conflict = try #require(lines.first { $0.contains(#""line":"conflict""#) })
    #expect(try print(of: "note", in: operation) == print(of: "title", in: conflict))
    let other = try export(reader).first { $0.contains(#""line":"operation""#) }
    #expect(try print(of: "note", in: operation) != print(of: "note", in: #require(other)))
  }

  @Test func `an exported sync history has the form that the guide SyncHistory describes`()
    async throws
  {
    let reader = try Reader(in: Town())
    try reader.branch.edit("INSERT INTO book(id, title, copies) VALUES ('b1', 'Dune', 2)")
    try reader.branch.database.write { db in
      try db.execute(
        "UPDATE sync_to_sync SET operation_identifier = x'00', timestamp = 5, base_cursor = 0")
    }
    var lines: [String] = []

    try reader.branch.replica.exportHistory(Redactor(key: [1, 2, 3])) { lines.append($0) }

    #expect(lines.dropFirst().joined(separator: "\n") == Self.golden)
  }

  private static let golden = """
    {"columns":{"mentor":"reference","name":"value"},"identity":"integer","line":"table",\
    "rows":0,"table":"author"}
    {"columns":{"author":"reference","copies":"counter","isbn":"value","note":"value",\
    "title":"value"},"identity":"text","line":"table","rows":0,"table":"book"}
    {"base_cursor":0,"inc":["copies"],"kind":"insert","line":"operation","number":1,\
    "operation":"7b668d22e1a8fe87","row":"1ab40271681495c5","seen":0,\
    "set":{"author":{"type":"null"},"isbn":{"type":"null"},"note":{"type":"null"},\
    "title":{"bytes":4,"print":"7a5a3345fbbfe2f0","type":"text"}},"state":"pending",\
    "table":"book","timestamp":5}
    {"conflicts":0,"line":"end","operations":1}
    """

  @Test
  func `exporting a sync history rethrows an error of the closure that writes the exported lines`()
    async throws
  {
    struct FullDisk: Error {}
    let reader = try Reader(in: Town())

    #expect(throws: FullDisk.self) { try reader.engine.exportHistory { _ in throw FullDisk() } }
  }

  @Test
  func `a fingerprint in a sync history consists of the first 8 bytes of an HMAC-SHA-256 code`() {
    // RFC 4231, test case 2.
    let redactor = Redactor(key: [UInt8]("Jefe".utf8))

    #expect(redactor.fingerprint("what do ya want for nothing?") == "5bdcc146bf60754e")
  }

  private func export(_ reader: Reader) throws -> [String] {
    var lines: [String] = []
    try reader.engine.exportHistory { lines.append($0) }
    return lines
  }

  private func print(of column: String, in line: String) throws -> Substring {
    let value = try #require(line.firstRange(of: "\"\(column)\":{"))
    let print = try #require(line[value.upperBound...].firstRange(of: "\"print\":\""))
    return line[print.upperBound...].prefix(16)
  }

  /// Returns a device that has a conflict, because its change of a title waits for the user's
  /// answer.
  private func readerWithConflict() async throws -> Reader {
    let town = Town(TablePolicy(.ask))
    let (north, south) = (try Reader(in: town), try Reader(in: town))
    try north.branch.edit("INSERT INTO book(id, title) VALUES ('secret-1', 'secret dune')")
    for reader in [north, south] { try await reader.engine.sync() }
    try north.branch.edit("UPDATE book SET title = 'secret north'")
    try south.branch.edit("UPDATE book SET title = 'secret south'")
    for reader in [north, south] { try await reader.engine.sync() }
    return south
  }
}
