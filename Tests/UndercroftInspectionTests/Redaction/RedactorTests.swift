import Foundation
import Testing
import UndercroftInspection

@Suite struct RedactorTests {
  @Test func `a placeholder shows the size in bytes and a hexadecimal fingerprint`() throws {
    let text = Redactor().text(for: "geheimnisvolle Düne", named: "password")

    let match = try #require(text.wholeMatch(of: /‹redacted 20 B #([0-9a-f]+)›/))
    #expect(match.1.count == Redactor.fingerprintDigits)
  }

  @Test func `equal secrets have equal placeholders, in text, bytes and JSON`() {
    let redactor = Redactor()
    let placeholder = redactor.placeholder(for: "düne\n".utf8)

    #expect(redactor.text(for: "düne\n", named: "token") == placeholder)
    #expect(redactor.text(for: Data("düne\n".utf8), named: "token") == placeholder)
    #expect(
      redactor.text(for: #"{"token":"d\u00fcne\n"}"#, named: nil) == #"{"token":"\#(placeholder)"}"#
    )
    #expect(redactor.text(for: "düne", named: "token") != placeholder)
    #expect(redactor.placeholder(for: "dünf\n".utf8) != placeholder)
  }

  @Test func `fingerprints of different redactors differ`() {
    let placeholders = (0..<20).map { _ in Redactor().placeholder(for: "dune".utf8) }

    #expect(Set(placeholders).count == 20)
  }

  @Test func `a value without secrets is shown as it is`() {
    let redactor = Redactor()
    let json = Data(#"{"title":"Dune","pages":412}"#.utf8)
    let bytes = Data([0, 1, 255])

    #expect(redactor.text(for: "Dune", named: "title") == "Dune")
    #expect(redactor.text(for: json, named: "book") == ValueText.readable(json))
    #expect(redactor.text(for: bytes, named: "cover") == ValueText.readable(bytes))
    #expect(redactor.text(for: Data(), named: "password").isEmpty)
    #expect(!redactor.redacts(name: "book", value: json))
    #expect(!redactor.redacts(name: "cover", value: bytes))
  }

  @Test func `the text for other programs has placeholders, and no formatting`() throws {
    let redactor = Redactor()
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["password": "dune"], format: .xml, options: 0)
    let (dune, bytes) = (redactor.placeholder(for: "dune".utf8), Data([0, 1, 255]))

    #expect(redactor.plainText(for: Data("dune".utf8), named: "token") == dune)
    #expect(
      redactor.plainText(for: Data(#"{"token":"dune",  "pages":1}"#.utf8), named: "book")
        == #"{"token":"\#(dune)",  "pages":1}"#)
    #expect(redactor.plainText(for: list, named: "book") == redactor.placeholder(for: list))
    #expect(redactor.plainText(for: bytes, named: "token") == redactor.placeholder(for: bytes))
    #expect(redactor.plainText(for: bytes, named: "cover") == nil)
    #expect(redactor.plainText(for: Data("Dune".utf8), named: "title") == nil)
  }

  @Test func `bytes under a secret name are redacted even if they are not text`() {
    let redactor = Redactor()
    let bytes = Data([0, 1, 255])

    #expect(redactor.redacts(name: "api_key", value: bytes))
    #expect(redactor.text(for: bytes, named: "api_key") == redactor.placeholder(for: bytes))
  }

  @Test func `redacted JSON is indented, and control characters around a placeholder are escaped`()
  {
    let redactor = Redactor()
    let json = Data("{\"title\":\"\u{9b}31m\",\"pin\":1815}".utf8)

    let text = redactor.text(for: json, named: nil)

    let placeholder = redactor.placeholder(for: "1815".utf8)
    #expect(text == "{\n  \"title\": \"\\u{9b}31m\",\n  \"pin\": \"\(placeholder)\"\n}")
  }

  @Test func `the members of a binary property list are redacted one by one`() throws {
    let redactor = Redactor()
    let list: [String: String] = ["title": "Dune", "password": "spice"]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)

    let text = redactor.text(for: bytes, named: "reader")

    #expect(text.contains(#""title": "Dune""#))
    #expect(text.contains(#""password": "\#(redactor.placeholder(for: "spice".utf8))""#))
    #expect(redactor.redacts(name: "reader", value: bytes))
  }
}
