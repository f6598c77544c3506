import Foundation
import Testing
import UndercroftInspection

@Suite struct RowRedactorTests {
  private static let secret = "the password=spice is secret. "
  private static let words = String(repeating: "the left hand of darkness. ", count: 10_000)

  private func redacted(_ value: InspectedValue, isShortened: Bool = true) -> ResultValue? {
    var redactor = RowRedactor(["note"], isShortened: isShortened)
    return redactor.redacted([value]).first
  }

  private func isRedacted(_ value: InspectedValue, isShortened: Bool = true) -> Bool {
    var redactor = RowRedactor(["note"], isShortened: isShortened)
    _ = redactor.redacted([value])
    return redactor.count == 1
  }

  @Test func `a large text that is shown as a whole is examined as a whole`() {
    let value = InspectedValue.text(Self.words + Self.secret)

    #expect(isRedacted(value, isShortened: false))
    #expect(!isRedacted(value))
  }

  @Test func `a secret in the shown beginning of a large text is redacted`() throws {
    for start in ["", String(Self.words.prefix(990))] {
      let text = start + Self.secret + Self.words

      let cell = try #require(redacted(.text(text))).brief

      #expect(cell.hasPrefix("‹redacted \(text.utf8.count) B #"))
      #expect(!cell.contains("spice"))
    }
  }

  @Test func `the cell of a large text without a secret is unchanged`() {
    #expect(redacted(.text(Self.words)) == .text(Self.words))
    #expect(
      ResultValue.text(Self.words).brief
        == "\(Self.words.prefix(1_000))… (\(Self.words.utf8.count) bytes)")
  }

  @Test func `the beginning of large JSON is redacted value by value`() throws {
    let json = #"{"title":"Dune","password":"spice","text":"\#(Self.words)","pin":1815}"#

    let cell = try #require(redacted(.text(json))).brief

    #expect(cell.hasPrefix(#"{"title":"Dune","password":"‹redacted 5 B #"#))
    #expect(cell.hasSuffix("… (\(json.utf8.count) bytes)"))
    #expect(!cell.contains("spice"))
  }

  @Test func `a large array under a secret name in JSON is a placeholder`() throws {
    let json = #"{"tokens":["spice","\#(Self.words)"],"title":"Dune"}"#

    let cell = try #require(redacted(.text(json))).brief

    #expect(cell.contains("‹redacted"))
    #expect(cell.hasSuffix(#","title":"Dune"}"#))
    #expect(!cell.contains("spice"))
  }

  @Test func `the beginning of JSON with a long placeholder shows no secret after it`() throws {
    // A placeholder is shorter than the array, so that the cell shows a later part of the text.
    let books = String(repeating: #""Žít 書庫","#, count: 4_000)
    let json = #"{"tokens":["\#(Self.words)"],"books":[\#(books)"token=spice"],"pin":"spice"}"#

    let cell = try #require(redacted(.text(json))).brief

    #expect(cell.contains("書庫"))
    #expect(!cell.contains("spice"))
  }

  @Test func `the end of JSON that is examined only at its beginning is not shown`() throws {
    let text = String(Self.words.prefix(30_000)) + "password=spice"
    let json = #"{"tokens":["\#(Self.words)"],"text":"\#(text)"}"#

    let cell = try #require(redacted(.text(json))).brief

    #expect(cell.contains("left hand"))
    #expect(!cell.contains("spice"))
  }

  @Test func `damaged JSON is examined as text`() {
    #expect(isRedacted(.text(#"{"title" 1,"password":"spice", "# + Self.words)))
    #expect(!isRedacted(.text(#"{"title" 1,"author":"Herbert", "# + Self.words)))
  }

  @Test func `bytes are examined as far as they are shown`() {
    let text = Data(Self.words.utf8)
    let secret = Data(Self.secret.utf8)

    #expect(isRedacted(.bytes(Data("password=spice".utf8) + text)))
    #expect(isRedacted(.bytes(Data(#"{"password":"spice","text":"#.utf8) + text)))
    #expect(isRedacted(.bytes(text + secret), isShortened: false))
    #expect(!isRedacted(.bytes(text + secret)))
    #expect(!isRedacted(.bytes(Data(count: 100_000))))
    #expect(isRedacted(.bytes(secret)))
  }

  @Test func `a property list in bytes is examined as a whole`() throws {
    let list = ["text": Self.words, "password": "spice"]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)

    #expect(bytes.count > 65_536)
    #expect(isRedacted(.bytes(bytes)))
  }

  @Test(arguments: [63, 64, 100, 511])
  func `a secret at any level of a property list in bytes is redacted`(depth: Int) {
    let secret = Self.list("<dict><key>password</key><string>spice</string></dict>", depth)
    let title = Self.list("<dict><key>title</key><string>Dune</string></dict>", depth)

    #expect(isRedacted(.bytes(secret)))
    #expect(isRedacted(.bytes(secret), isShortened: false))
    #expect(!isRedacted(.bytes(title)))
  }

  @Test func `a binary property list with a secret below level 64 is redacted`() throws {
    var list: Any = ["password": "spice"]
    for _ in 0..<100 { list = [list] }
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)

    #expect(isRedacted(.bytes(bytes)))
    #expect(Redactor().redacts(name: "reader", value: bytes))
    #expect(!Redactor().text(for: bytes, named: "reader").contains("spice"))
  }

  @Test func `a property list that is nested too deeply to be examined is redacted as a whole`() {
    let list = Self.list("<string>Dune</string>", 600)

    #expect(redacted(.bytes(list))?.brief.hasPrefix("‹redacted \(list.count) B #") == true)
  }

  /// Returns an XML property list in which a number of arrays contain each other.
  private static func list(_ value: String, _ depth: Int) -> Data {
    let (begin, end) = ("<array>", "</array>")
    let arrays =
      String(repeating: begin, count: depth) + value + String(repeating: end, count: depth)
    return Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(arrays)</plist>".utf8)
  }

  @Test func `a large value under a secret name is redacted`() {
    var redactor = RowRedactor(["password", "name", "value"], isShortened: true)

    let row = redactor.redacted([.text(Self.words), .text("api_key"), .text(Self.words)])

    #expect(redactor.count == 2)
    #expect(row[0] == row[2])
    #expect(row[1] == .text("api_key"))
  }

  @Test(arguments: ["lorem ipsum dolor ", "\0", "q83vEjRWeJASNFZ4kBI0Vng", "t"])
  func `cells of many megabytes without a secret are unchanged`(pattern: String) {
    let text = String(repeating: pattern, count: 16_000_000 / pattern.utf8.count)
    let bytes = Data(text.utf8)

    let cells = [redacted(.text(text)), redacted(.bytes(bytes))]

    #expect(cells == [.text(text), .bytes(bytes)])
  }
}
