import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftInspection
import UndercroftSQLite

/// Tests of the virtual tables that represent stores of named values.
@Suite struct EntryModuleTests {
  private let store = RecordingStore(texts: [
    ("book/1", "Emma"), ("book/2", "Dune"), ("loan/1", "Ada"), ("loan/2", "Ben"),
  ])

  private func library(_ store: RecordingStore) throws -> [QueriedStore] {
    [try QueriedLibrary.store("shelf", store)]
  }

  @Test func `a store of named values is a table of names, values and sizes`() throws {
    let rows = try QueriedLibrary.rows("SELECT * FROM shelf ORDER BY name LIMIT 1", library(store))

    #expect(rows == [[.text("book/1"), .text("Emma"), .integer(4)]])
  }

  @Test(arguments: ["undercroft_entries_0", "main.undercroft_entries_0"])
  func `the module of a store is not a table`(name: String) throws {
    let error = QueriedLibrary.error("SELECT * FROM \(name)", try library(store))

    #expect(error?.code == .misuse)
    #expect(error?.message.contains("no such table: \(name)") == true)
    #expect(store.listings == [])
  }

  @Test func `a comparison with one name reads one value and lists no names`() throws {
    let rows = try QueriedLibrary.rows(
      "SELECT value, bytes FROM shelf WHERE name = 'loan/2'", library(store))

    #expect(rows == [[.text("Ben"), .integer(3)]])
    #expect(store.reads == ["loan/2"])
    #expect(store.listings == [])
  }

  @Test func `a comparison with a name that does not exist returns no row`() throws {
    let rows = try QueriedLibrary.rows(
      "SELECT value FROM shelf WHERE name = 'loan/3'", library(store))

    #expect(rows == [])
  }

  @Test func `a list of names reads only the values of these names`() throws {
    let texts = try QueriedLibrary.texts(
      "SELECT value FROM shelf WHERE name IN ('loan/1', 'book/2') ORDER BY name", library(store))

    #expect(texts == ["Dune", "Ada"])
    #expect(store.reads.sorted() == ["book/2", "loan/1"])
  }

  @Test func `a condition with OR on different columns returns each row once`() throws {
    let texts = try QueriedLibrary.texts(
      "SELECT name FROM shelf WHERE name = 'loan/1' OR bytes = 4 OR bytes = 3 ORDER BY name",
      library(store))

    #expect(texts == ["book/1", "book/2", "loan/1", "loan/2"])
  }

  @Test(arguments: [
    "name >= 'loan/' AND name < 'loan0'", "name GLOB 'loan/*'",
  ])
  func `a range of names lists only the names with the common prefix`(condition: String) throws {
    let texts = try QueriedLibrary.texts(
      "SELECT name FROM shelf WHERE \(condition) ORDER BY name", library(store))

    #expect(texts == ["loan/1", "loan/2"])
    #expect(store.listings.allSatisfy { $0.hasPrefix("loan") } && store.listings.count == 1)
  }

  @Test func `a range of names excludes names of the common prefix outside the range`() throws {
    let texts = try QueriedLibrary.texts(
      "SELECT name FROM shelf WHERE name > 'loan/1' AND name <= 'loan/2'", library(store))

    #expect(texts == ["loan/2"])
  }

  @Test func `a comparison without regard to case finds names in another case`() throws {
    let stores = try library(store)

    let equal = try QueriedLibrary.texts(
      "SELECT value FROM shelf WHERE name = 'BOOK/1' COLLATE NOCASE", stores)
    let similar = try QueriedLibrary.texts(
      "SELECT value FROM shelf WHERE name LIKE 'BOOK/%' ORDER BY name", stores)

    #expect(equal == ["Emma"])
    #expect(similar == ["Emma", "Dune"])
  }

  @Test func `a comparison of names with a number converts the number to text`() throws {
    let store = RecordingStore(texts: [("5", "five"), ("05", "other")])

    let texts = try QueriedLibrary.texts("SELECT value FROM shelf WHERE name = 5", library(store))

    #expect(texts == ["five"])
  }

  @Test func `a comparison of names with NULL returns no row and reads nothing`() throws {
    let rows = try QueriedLibrary.rows("SELECT * FROM shelf WHERE name = NULL", library(store))

    #expect(rows == [])
    #expect(store.reads == [])
  }

  @Test func `a statement that selects only names and sizes reads no value`() throws {
    let rows = try QueriedLibrary.rows(
      "SELECT count(*), sum(bytes), max(name) FROM shelf", library(store))

    #expect(rows == [[.integer(4), .integer(14), .text("loan/2")]])
    #expect(store.reads == [])
  }

  @Test func `a statement reads only the values of the rows that its other conditions permit`()
    throws
  {
    let texts = try QueriedLibrary.texts(
      "SELECT value FROM shelf WHERE bytes = 3 AND name LIKE '%2'", library(store))

    #expect(texts == ["Ben"])
    #expect(store.reads == ["loan/2"])
  }

  @Test func `the size of a value that the store does not list is the size of its bytes`() throws {
    let store = RecordingStore([("cover", Data([0, 2, 3]))], knowsSizes: false)

    let rows = try QueriedLibrary.rows("SELECT value, bytes FROM shelf", library(store))

    #expect(rows == [[.bytes(Data([0, 2, 3])), .integer(3)]])
    #expect(store.reads == ["cover"])
  }

  @Test func `a value is text if it is UTF-8 without NUL, and a blob otherwise`() throws {
    let store = RecordingStore([
      ("a", Data("Émile".utf8)), ("b", Data([0xff, 0x41])), ("c", Data("x\0y".utf8)), ("d", Data()),
    ])

    let rows = try QueriedLibrary.rows(
      "SELECT typeof(value), value FROM shelf ORDER BY name", library(store))

    #expect(
      rows == [
        [.text("text"), .text("Émile")], [.text("blob"), .bytes(Data([0xff, 0x41]))],
        [.text("blob"), .bytes(Data("x\0y".utf8))], [.text("text"), .text("")],
      ])
  }

  @Test func `an entry whose name is not UTF-8 is listed with NULL as its value`() throws {
    let name = String(decoding: [0x61, 0xff] as [UInt8], as: UTF8.self)
    let store = UnreadableNameStore(name: name)

    let rows = try QueriedLibrary.rows(
      "SELECT name, value, bytes FROM shelf", [QueriedLibrary.store("shelf", store)])

    #expect(rows == [[.text("a\u{fffd}"), .null, .integer(2)]])
  }

  @Test func `a name that is not text is a blob with its bytes`() throws {
    let stores = [try QueriedLibrary.store("shelf", OddlyNamedStore())]

    let rows = try QueriedLibrary.rows(
      "SELECT hex(name), typeof(name), value FROM shelf ORDER BY name", stores)

    #expect(
      rows == [
        [.text("78276666"), .text("text"), .text("text")],
        [.text("FF"), .text("blob"), .text("bytes")],
      ])
  }

  @Test(
    arguments: [
      ("x'ff'", ["bytes"]), ("x'fe'", []), ("'x''ff'", ["text"]), ("x'78276666'", []), ("x''", []),
    ] as [(String, [String])])
  func `a comparison with a blob or a text finds the name with this type`(
    name: String, values: [String]
  ) throws {
    let stores = [try QueriedLibrary.store("shelf", OddlyNamedStore())]

    let texts = try QueriedLibrary.texts("SELECT value FROM shelf WHERE name = \(name)", stores)

    #expect(texts == values)
  }

  @Test func `names that differ only in their Unicode normal form are different rows`() throws {
    let store = RecordingStore(texts: [("\u{e9}", "one scalar"), ("e\u{301}", "two scalars")])
    let stores = try library(store)

    let all = try QueriedLibrary.texts("SELECT value FROM shelf ORDER BY bytes", stores)
    let one = try QueriedLibrary.texts("SELECT value FROM shelf WHERE name = 'e\u{301}'", stores)

    #expect(all == ["one scalar", "two scalars"])
    #expect(one == ["two scalars"])
  }

  @Test func `the name of a store can contain quotes and spaces`() throws {
    let stores = [try QueriedLibrary.store("the \"old\" shelf's", store)]

    let rows = try QueriedLibrary.rows("SELECT count(*) FROM \"the \"\"old\"\" shelf's\"", stores)

    #expect(rows == [[.integer(4)]])
  }

  @Test func `the functions of JSON read a member of a value`() throws {
    let store = RecordingStore(texts: [("book/1", "{\"title\":\"Emma\"}")])

    let texts = try QueriedLibrary.texts(
      "SELECT json_extract(value, '$.title') FROM shelf", library(store))

    #expect(texts == ["Emma"])
  }

  @Test func `a join of a store with itself lists the names once`() throws {
    let rows = try QueriedLibrary.rows(
      "SELECT count(*) FROM shelf a JOIN shelf b ON a.bytes < b.bytes", library(store))

    #expect(rows == [[.integer(4)]])
    #expect(store.listings.count == 1)
  }

  @Test func `an error that the store throws is thrown unchanged`() throws {
    let failure = StorageError(.locked, "cannot read the shelf", suggestion: "pass a key file")
    let store = RecordingStore([("book/1", Data())], failure: failure)

    let error = QueriedLibrary.error("SELECT value FROM shelf", try library(store))

    #expect(error?.code == .locked)
    #expect(error?.suggestion == "pass a key file")
    #expect(error?.message == failure.message)
  }

  @Test func `the names of a store whose values cannot be read are listed`() throws {
    let store = RecordingStore(
      [("book/1", Data())], failure: StorageError(.locked, "cannot read the shelf"))

    let texts = try QueriedLibrary.texts("SELECT name FROM shelf", library(store))

    #expect(texts == ["book/1"])
  }
}

/// A store with a name that is not text, and with the text by which it is spelled.
private struct OddlyNamedStore: ByteNamedStore {
  private static let spelling = "x'ff"

  func inspect() -> InspectionReport {
    InspectionReport(format: "odd", entryCount: 2, byteCount: 9, isConfidential: false)
  }

  func entries(withPrefix prefix: String) -> [InspectionEntry] {
    [
      InspectionEntry(name: Self.spelling, byteCount: 4),
      InspectionEntry(name: Self.spelling, byteCount: 5, nameBytes: Data([0xff])),
    ]
  }

  func bytes(of entry: String) -> Data? { Data("spelled".utf8) }

  func bytes(ofName name: Data) -> Data? {
    if name == Data(Self.spelling.utf8) { return Data("text".utf8) }
    return name == Data([0xff]) ? Data("bytes".utf8) : nil
  }
}

/// A store with one entry whose name cannot be used to read its value.
private struct UnreadableNameStore: Inspectable {
  let name: String

  func inspect() -> InspectionReport {
    InspectionReport(format: "unreadable", entryCount: 1, byteCount: 2, isConfidential: false)
  }

  func entries(withPrefix prefix: String) -> [InspectionEntry] {
    [InspectionEntry(name: name, byteCount: 2)]
  }

  func bytes(of entry: String) -> Data? { nil }
}
