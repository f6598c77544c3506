import Foundation
import Testing
import UndercroftInspection

@Suite struct RedactedJSONTests {
  private let redactor = Redactor()

  private func hidden(_ secret: String) -> String {
    "\"\(redactor.placeholder(for: secret.utf8))\""
  }

  @Test func `only the values of secret names are replaced, and other tokens are unchanged`() {
    let json = """
      { "reader" : {"name":"Ada","password":"spice", "pages":1.10},
        "loans":[{"apiKey":"abc"},{"author":"Herbert"}], "pin": 1815 }
      """

    let text = redactor.text(for: json, named: nil)

    #expect(
      text == """
        { "reader" : {"name":"Ada","password":\(hidden("spice")), "pages":1.10},
          "loans":[{"apiKey":\(hidden("abc"))},{"author":"Herbert"}], "pin": \(hidden("1815")) }
        """)
  }

  @Test func `an array or object under a secret name is replaced as a whole`() {
    #expect(
      redactor.text(for: #"{"credentials":{"a":["x",{}]},"b":[1]}"#, named: nil)
        == #"{"credentials":\#(hidden(#"{"a":["x",{}]}"#)),"b":[1]}"#)
    #expect(
      redactor.text(for: #"[{"tokens":["x","y"]},2]"#, named: nil)
        == #"[{"tokens":\#(hidden(#"["x","y"]"#))},2]"#)
  }

  @Test(arguments: [
    #"{"password":null,"auth":true,"secret":"","tokens":[],"cookies":{ },"pin":false}"#,
    #"[]"#, #"{}"#, #""Dune""#, #"[[["password"]]]"#,
    #"{"sha256":["d41d8cd98f00b204e9800998ecf8427e"]}"#,
  ])
  func `values that reveal nothing remain unchanged`(json: String) {
    #expect(redactor.text(for: json, named: nil) == json)
    #expect(!redactor.redacts(name: nil, value: json))
  }

  @Test func `strings with the form of a secret are replaced under any name`() {
    let secret = "postgres://ada:spice@db/loans"

    #expect(
      redactor.text(for: #"{"\#(secret)":["Dune","\#(secret)"]}"#, named: nil)
        == #"{\#(hidden(secret)):["Dune",\#(hidden(secret))]}"#)
    #expect(redactor.text(for: "\"\(secret)\"", named: nil) == hidden(secret))
  }

  @Test func `JSON in a string of JSON is redacted as a whole`() {
    let json = #"{"payload":"{\"password\":\"spice\"}"}"#

    #expect(
      redactor.text(for: json, named: nil)
        == #"{"payload":\#(hidden(#"{"password":"spice"}"#))}"#)
  }

  @Test func `a secret name with escapes is recognised`() {
    #expect(
      redactor.text(for: #"{"pass\u0077ord":"spice"}"#, named: nil)
        == #"{"pass\u0077ord":\#(hidden("spice"))}"#)
  }

  @Test(arguments: [
    #"{"password":"spice"#, #"{"password":"spice","#, #"{"password":"spice"}}"#,
    #"[{"password":"spice"]"#,
    #"{"a":1 "password":"spice"}"#, #"{"a" "password":"spice"}"#, #"{"password":"spice"}{"b":1}"#,
    #"{"password":"spice\"#, #"{,"password":"spice"}"#, #"[1,],"password":"spice""#,
  ])
  func `damaged JSON with a secret is redacted as a whole`(json: String) {
    #expect(redactor.text(for: json, named: nil) == redactor.placeholder(for: json.utf8))
  }

  @Test func `damaged JSON without a secret is unchanged`() {
    for json in [#"{"title":"Dune"#, #"{"title" 1}"#, "[1,]", "{]", "[", "\"", "{\"a\":}", "\"\\"] {
      #expect(redactor.text(for: json, named: nil) == json)
    }
  }

  @Test func `the values of the text of a keyed archive are replaced one by one`() {
    let tokens = """
      NSArray #5 [
            "spice"
          ]
      """
    func archive(_ password: String, _ tokens: String) -> String {
      """
      {
        "root": Library.Reader #1 {
          "name": "Ada",
          "password": \(password),
          "tokens": \(tokens),
          "loans": NSArray #7 [
            (object 1, which contains this one),
            (damaged: cannot read the property list at byte 7: the string, of 3 bytes, is empty),
            3
          ],
          "shelf": (object 7, shown above),
          "due": 2001-01-01T00:00:00Z
        },
        12: "Dune",
        2001-01-01T00:00:00Z: …,
        …
      }
      """
    }

    let text = redactor.text(for: archive(#""spice""#, tokens), named: nil)

    #expect(text == archive(hidden("spice"), hidden(tokens)))
    #expect(!redactor.redacts(name: nil, value: archive("\"\"", "[]")))
  }

  @Test(arguments: [
    #"["x", password = {"a": "spice"}]"#, #"{"a": (x, "password": "spice")}"#,
    #"{12 "password": "spice"}"#, #"{"a": NSArray [], "password": "spice"}"#,
  ])
  func `text that resembles that of a keyed archive is redacted as a whole`(text: String) {
    #expect(redactor.text(for: text, named: nil) == redactor.placeholder(for: text.utf8))
  }

  @Test func `a secret in a scalar that is not JSON is replaced`() {
    let text = redactor.text(for: "[password=spice, 7]", named: nil)

    #expect(text == "[\(hidden("password=spice")), 7]")
  }

  @Test(arguments: [1, 511, 512, 513, 100_000])
  func `a secret in deeply nested JSON is not shown`(depth: Int) {
    let json =
      String(repeating: "[", count: depth - 1) + #"{"password":"spice"}"#
      + String(repeating: "]", count: depth - 1)

    let text = redactor.text(for: json, named: nil)

    #expect(!text.contains("spice"))
    #expect(text.contains("password") == (depth <= 512))
  }

  @Test func `redacted JSON of any truncated input contains no part of the secret`() {
    // Placeholders contain hexadecimal digits, so the secrets do not.
    let json = #"{"title":"Dune","reader":{"password":"spice","pin":["mule"]}}"#
    for count in 0...json.utf8.count {
      let text = redactor.text(for: String(json.prefix(count)), named: nil)

      #expect(!text.contains("sp") && !text.contains("mu"), "\(text)")
    }
  }
}
