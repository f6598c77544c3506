import Foundation
import Testing
import UndercroftInspection

/// Tests of the search for the secrets in a part of a value.
@Suite struct SecretOverlapTests {
  private static let body = "x7Kq2mP9vR4tW8zB3nL6cD1fG5hJ0sYa"

  /// Returns whether the part of a value from `first` to `last` shows a part of a secret.
  private static func isSecret(
    from first: String, to last: String, in value: String, named name: String? = "note"
  ) throws -> Bool {
    let start = try #require(value.range(of: first)).lowerBound
    let end = try #require(value.range(of: last)).upperBound
    let lower = value.utf8.distance(from: value.startIndex, to: start)
    let upper = value.utf8.distance(from: value.startIndex, to: end)
    return !Redactor().secrets(in: lower..<upper, of: Data(value.utf8), named: name).isEmpty
  }

  /// Texts with secrets, a part before or after them, and a part of them.
  private static let texts: [(text: String, other: String, secret: String)] = [
    ("Emma\ntoken: open sesame\nDune", "Emma", "sesame"),
    ("token: open sesame\nDune", "Dune", "sesame"),
    ("Emma at https://ada:spice@desk.example/1 today", "today", "spice"),
    ("Emma ghp_\(body)aaaa Dune", "Dune", "aaaa"),
    ("commit \(body) Dune", "Dune", "nL6cD1"),
    (#"log: "password": "open \"sesame", "title": "Dune""#, "Dune", "sesame"),
    (#"say {\"password\": \"sesame\", \"title\": \"Dune\"}"#, "Dune", "sesame"),
    (#"x "tokens": {"a": ["sesame", {"b": "c"}], "d": "}e"}, "Dune""#, "Dune", "}e"),
    ("<password>sesame</password><title>Dune</title>", "Dune", "sesame"),
    ("<key>password</key>\n<string>sesame</string><string>Dune</string>", "Dune", "sesame"),
    (
      "private_key: -----BEGIN PRIVATE KEY-----\nsesame\n-----END PRIVATE KEY-----\nDune", "Dune",
      "sesame"
    ),
    (#"{"password": "sesame", "title": "Dune"}"#, "Dune", "sesame"),
    (#"{"tokens": {"a": "sesame"}, "title": "Dune"}"#, "Dune", "sesame"),
  ]

  @Test(arguments: texts.indices)
  func `a part counts as a secret only if it overlaps the secret`(index: Int) throws {
    let (text, other, secret) = Self.texts[index]

    #expect(try Self.isSecret(from: secret, to: secret, in: text))
    #expect(try !Self.isSecret(from: other, to: other, in: text))
  }

  /// Texts, and the secrets in them.
  private static let secrets: [(text: String, secrets: [String])] = [
    ("Emma\ntoken: open sesame\nDune", ["open sesame"]),
    ("postgres://ada:spice@desk.example/library", ["ada:spice"]),
    ("lend?password=sesame", ["sesame"]), (#"log: "password": "sesame", "title""#, ["sesame"]),
    ("<password>sesame</password>", ["sesame"]), (#"{"password": "sesame"}"#, ["sesame"]),
    (#"{"tokens": ["sesame"], "title": "Dune"}"#, [#"["sesame"]"#]),
    (#"{"note": "Emma\ntoken: open \"sesame\"\nDune"}"#, [#"open \"sesame\""#]),
    ("Emma ghp_\(body)aaaa, Dune", ["ghp_\(body)aaaa"]),
    ("Emma v1.\(body).sesame Dune", ["v1.\(body).sesame"]),
    ("token=dune\nEmma\npassword=sesame\n", ["dune", "sesame"]),
    (
      "token=-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\nDune",
      ["-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----"]
    ),
    ("Emma and Dune", []),
  ]

  @Test(arguments: secrets)
  func `a secret has no more than the value after a name, or the word of a token`(
    text: String, secrets: [String]
  ) {
    let bytes = Data(text.utf8)

    let found = Redactor().secrets(in: 0..<bytes.count, of: bytes, named: "note")

    #expect(found.map { String(decoding: bytes[$0], as: UTF8.self) } == secrets)
  }

  @Test func `every part under a secret name is a secret, to which the whole value belongs`() throws
  {
    let value = Data("Emma, Dune".utf8)

    #expect(Redactor().secrets(in: 0..<4, of: value, named: "api_token") == [0..<value.count])
    #expect(Redactor().secrets(in: 0..<0, of: Data(), named: "api_token").isEmpty)
  }

  @Test func `a property list with a secret is a secret as a whole`() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["password": "sesame", "title": "Dune"], format: .binary, options: 0)

    #expect(Redactor().secrets(in: 0..<10, of: list, named: "note") == [0..<list.count])
  }

  @Test func `a long string of JSON is not a secret as a whole`() throws {
    let filler = String(repeating: #"a quiet \"day\" at the desk\n"#, count: 100)
    let text = #"["\#(filler)Emma\n\#(filler)\ntoken: open\u0020sesame\nDune"]"#

    #expect(try !Self.isSecret(from: "Emma", to: "Emma", in: text))
    #expect(try !Self.isSecret(from: "Dune", to: "Dune", in: text))
    #expect(try Self.isSecret(from: "sesame", to: "sesame", in: text))
    #expect(try Self.isSecret(from: "u0020", to: "sesame", in: text))
  }

  @Test func `text that looks random is not a secret under the name of a digest`() throws {
    let text = "commit \(Self.body) Dune"

    #expect(try !Self.isSecret(from: "nL6cD1", to: "nL6cD1", in: text, named: "sha256"))
  }

  @Test func `a document with digests has no secret, and one with a token has`() {
    let redactor = Redactor()

    #expect(!redactor.redacts(document: Data("commit \(Self.body)".utf8), named: "changes"))
    #expect(redactor.redacts(document: Data("token: open sesame".utf8), named: "changes"))
    #expect(redactor.redacts(document: Data("Emma".utf8), named: "api_token"))
    #expect(!redactor.redacts(document: Data(), named: "api_token"))
  }
}
