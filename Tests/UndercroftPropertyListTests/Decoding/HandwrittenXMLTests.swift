import Foundation
import Testing
import UndercroftPropertyList

/// Tests of XML that people and other programs write, also unusual XML.
@Suite struct HandwrittenXMLTests {
  /// A value as text, so that values of all types can be compared in one list.
  private static func outcome(_ content: String, ours isOurs: Bool) -> DecodingOutcome<String> {
    func decode<Value: Decodable & Equatable>(_ type: Value.Type) -> DecodingOutcome<String> {
      let bytes = Data("<plist><array>\(content)</array></plist>".utf8)
      let outcome: DecodingOutcome<[Value]> = isOurs ? .ours(bytes) : .foundation(bytes)
      switch outcome {
      case .value(let values): return .value("\(values.map { text($0) })")
      // Foundation refuses the whole list where the reader of this package refuses one value.
      case .failure(let kind, _, let type): return .failure(kind: kind, path: [], type: type)
      }
    }
    switch content.prefix(while: { $0 != ">" && $0 != "/" }).dropFirst() {
    case "integer": return decode(Int8.self)
    case "real": return decode(Double.self)
    case "date": return decode(Date.self)
    case "data": return decode(Data.self)
    case "true", "false": return decode(Bool.self)
    case "dict": return decode([String: String].self)
    default: return decode(String.self)
    }
  }

  private static func text(_ value: some Any) -> String {
    switch value {
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let data as Data: "\([UInt8](data))"
    case let number as Double where number.isNaN: "nan"
    case let dictionary as [String: String]: text(of: dictionary)
    default: String(reflecting: value)
    }
  }

  /// Returns the elements of a dictionary, whose order is random, in the order of the keys.
  private static func text(of dictionary: [String: String]) -> String {
    let pairs = dictionary.sorted { $0.key < $1.key }.map { key, value in
      "\(String(reflecting: key)): \(String(reflecting: value))"
    }
    return "[\(pairs.joined(separator: ", "))]"
  }

  private static let integers = [
    "12", " 12", "\n12", "\u{a0}5", "\u{3000}5", "+5", "- 5", "-0", "0x1F", "0X1f", "-0x1F", "0x",
    "",
    "1_000", "\u{ff11}", "5.0", "1e2", "--1", "+-1", "0x-1", "127", "128", "-128", "-129", "0x7f",
    "0x80",
    String(repeating: "0", count: 500) + "7", String(repeating: "9", count: 50),
  ]
  private static let reals = [
    "1.5", " 1.5", "\n1.5", "0x10", "nan", "NaN", "+nan", "inf", "+inf", "-INF", "infinity",
    "-Infinity",
    "+infinity", "1e400", "-1e400", "1e-400", "1,5", "1.", ".", ".5", "+.5e+2", "1e", "1e+", "",
    "+ 1",
    "5e-324", "2.5e-324", "1.7976931348623159e308", "0.1", "16777217", "1.5f", "1d5", "x",
  ]
  private static let dates = [
    "2001-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "1900-02-29T00:00:00Z", "2001-02-30T00:00:00Z",
    "2001-04-31T12:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T23:59:60Z", "0000-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z", "1582-10-04T23:59:59Z", "1582-10-10T00:00:00Z",
    "1582-10-15T00:00:00Z", "1500-02-29T00:00:00Z", "999999-01-01T00:00:00Z", "2001-1-1T0:0:0Z",
    "+2001-01-01T00:00:00Z", "2001-01-01T00:00:00.5Z", "2001-01-01T00:00:00",
    "2001-01-01 00:00:00Z",
    "2001-01-01T00:00:00+00:00", "2001-01-01", "", "x",
  ]
  private static let data = [
    "AQID", "AQI=", "AQ==", "AR==", "A Q\tI\nD", "AQ\u{b}ID", "\n\tAQID\n\t", "", "\u{e9}",
  ]
  private static let texts = [
    "", "a", "&#x10FFFF;", "&#65;", "&#x41;", "&#00000065;", "&#0;", "&#xD800;", "&#x110000;",
    "&#9999999999;",
    "&amp", "&nbsp;", "&", "a<![CDATA[<x>&amp;]]>b", "<![CDATA[]]>", "<![CDATA[$null]]>", "$nul",
    "&#36;null",
    "a]]>b", "a>b", "&lt;&gt;&amp;&quot;&apos;", "a\r\nb\rc\u{85}d", "\u{0}", "a<b>", "<![CDATA[",
    "&#65 ;", "$null",
  ]

  private static func elements(_ name: String, _ texts: [String]) -> [String] {
    texts.map { "<\(name)>\($0)</\(name)>" }
  }

  private static let contents: [String] = [
    elements("integer", integers), elements("real", reals), elements("date", dates),
    elements("data", data), elements("string", texts),
    [
      "<integer/>", "<real/>", "<string/>", "<true/>", "<false/>", "<true></true>",
      "<true>x</true>", "<dict/>",
      "<dict><key>a</key><string>b</string><key>a</key><string>c</string></dict>",
      "<dict><key>a&#98;</key><string>b</string><key><![CDATA[<]]></key><string>c</string></dict>",
      "<dict><key>a</key></dict>", "<dict><string>a</string></dict>", "<string >a</string\n>",
      "<string a='b'>c</string>",
      "<string a=b>c</string>", "<string><x></string>", "<String>a</String>", "<null/>",
    ],
  ].flatMap { $0 }

  @Test(arguments: contents)
  func `an XML value is decoded or refused as in Foundation`(content: String) {
    #expect(Self.outcome(content, ours: true) == Self.outcome(content, ours: false))
  }

  /// The values that Foundation refuses or decodes in another way, with the right value, or `nil`
  /// if an error is right.
  private static let differences: [(content: String, expected: String?)] = [
    // Foundation allows white space only before a number, and not around a date.
    ("<integer>12\n</integer>", "[\"12\"]"), ("<real>1.5 </real>", "[\"1.5\"]"),
    ("<date>\n2001-01-01T00:00:00Z\n</date>", "[\"0.0\"]"),
    ("<true>\n</true>", "[\"true\"]"),
    // Foundation takes control characters for white space, so that a damaged digit is ignored.
    ("<integer>\u{1}5</integer>", nil), ("<integer>\u{11}2</integer>", nil),
    // Foundation carries impossible months and hours over, so that a damaged digit is ignored.
    ("<date>2001-13-01T00:00:00Z</date>", nil), ("<date>2001-00-01T00:00:00Z</date>", nil),
    ("<date>2001-01-32T00:00:00Z</date>", nil), ("<date>2001-01-01T25:00:00Z</date>", nil),
    ("<date>2001-01-01T00:60:00Z</date>", nil), ("<date>2001-01-01T24:00:01Z</date>", nil),
    // Foundation accepts a year of any number of digits, so that a missing digit is ignored.
    ("<date>201-01-01T00:00:00Z</date>", nil),
    ("<date>99999999999-01-01T00:00:00Z</date>", nil),
    // Foundation ignores the minus sign that its encoder writes.
    ("<date>-0218-10-19T19:33:20Z</date>", "[\"-70000000000.0\"]"),
    // Foundation ignores characters that are not Base64, and what they would have completed.
    ("<data>A!QID</data>", nil), ("<data>AQ-_ID</data>", nil),
    ("<data>AQI</data>", nil),
    ("<data>AQ</data>", nil), ("<data>A</data>", nil), ("<data>AQ=</data>", nil),
    ("<data>AQID=</data>", nil), ("<data>A===</data>", nil), ("<data>A=QI</data>", nil),
    ("<data>AQ==AQ==</data>", nil),
    // Foundation does not decode references in data, and refuses comments, sections and empty data.
    ("<data>&#65;QID</data>", "[\"[1, 2, 3]\"]"), ("<data/>", "[\"[]\"]"),
    ("<data>AQ<!-- c -->ID</data>", "[\"[1, 2, 3]\"]"),
    ("<integer>1<!-- c -->2</integer>", "[\"12\"]"),
    ("<string>a<!-- c -->b<?x?>c</string>", "[\"\\\"abc\\\"\"]"),
    // Foundation refuses a text that begins with `$null`, which its encoder writes.
    ("<string>$nullable</string>", "[\"\\\"$nullable\\\"\"]"),
    ("<string>$null </string>", "[\"\\\"$null \\\"\"]"),
    // Foundation limits references to eight characters, and decodes an empty one as NUL.
    ("<string>&#000000065;</string>", "[\"\\\"A\\\"\"]"), ("<string>&#;</string>", nil),
    ("<string>&#x;</string>", nil),
    // Foundation refuses these keys, which its encoder writes for `[String: String]`.
    (
      "<dict><key>$null</key><string>b</string></dict>", "[\"[\\\"$null\\\": \\\"b\\\"]\"]"
    ),
    (
      "<dict><key>CF$UID</key><string>b</string></dict>",
      "[\"[\\\"CF$UID\\\": \\\"b\\\"]\"]"
    ),
    ("<dict><key/><string>b</string></dict>", "[\"[\\\"\\\": \\\"b\\\"]\"]"),
    // Foundation accepts a key as a value, so that a missing value shifts the following ones.
    ("<key>a</key>", nil), ("<dict><key>a</key><key>b</key></dict>", nil),
    // Foundation ends a tag at the first ">", also in a quoted text.
    ("<string a=\"b>c\">d</string>", "[\"\\\"d\\\"\"]"),
    // Foundation takes a tag that lost its end and the following tag for one tag.
    ("<array><string <true/>x</string></array>", nil),
    // Foundation takes "<?>" for a complete instruction.
    ("<?><true/>", nil),
  ]

  @Test(arguments: differences)
  func `an XML value that Foundation decodes wrongly is decoded or refused`(
    content: String, expected: String?
  ) {
    let outcome = Self.outcome(content, ours: true)

    if let expected {
      #expect(outcome == .value(expected))
    } else {
      #expect(outcome == .failure(kind: "damaged", path: [], type: ""))
    }
  }

  // MARK: Documents

  private static let list = "<dict><key>title</key><string>Zo\u{eb}</string></dict>"

  private static let documents = [
    "<plist>\(list)</plist>", "<plist version=\"1.0\">\(list)</plist>\n",
    "\n\t <plist>\(list)</plist>",
    "<?xml version='1.0' encoding='UTF-8'?><!-- a --><plist>\(list)<!-- b --></plist><!-- c -->",
    "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\"><plist>\(list)</plist>",
    "<!DOCTYPE x><!DOCTYPE y><plist>\(list)</plist>", "<plist>\(list)</plist>and more <text",
    "<plist>\(list)</plist>\0\0\0", list, "<?xml version='1.0'?>\n\(list)\n",
    "<plist version=\"1.0>\(list)</plist>",
    "<plist version=1.0/2>\(list)</plist>", "<plist / >\(list)</plist>",
    "<!DOCTYPE plist \"x><plist>\(list)</plist>",
    "<?xml version='1.0' encoding=UTF-16?><plist>\(list)</plist>", "\u{feff}<plist>\(list)</plist>",
    "\u{feff}<?xml version='1.0' encoding='ISO-8859-1'?><plist>\(list)</plist>",
    "<plist/>", "<plist></plist>", "<plist>", "<plist>\(list)", "<plist>\(list)</plist",
    "<plist>\(list)\(list)</plist>",
    "<plist>x\(list)</plist>", "<plist>\(list)x</plist>",
    "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist>\(list)</plist>",
    "<!doctype plist><plist>\(list)</plist>", "<html>\(list)</html>", "<plist><dict/x></plist>",
    "<plist><dict></plist></dict>", "<plist><dict></dict ></plist >", "<", "<>",
    "< plist>\(list)</plist>",
  ]

  @Test(arguments: documents)
  func `an XML document is decoded or refused as in Foundation`(text: String) {
    let bytes = Data(text.utf8)

    let outcome = DecodingOutcome<[String: String]>.ours(bytes)

    #expect(outcome == .foundation(bytes))
  }

  @Test func `a document without the element plist ends with its outermost element`() throws {
    // The beginning of the file may be missing. Foundation ignores the second element.
    let bytes = Data((Self.list + Self.list).utf8)

    let error = try #require(throws: PropertyListError.self) { try PropertyListDocument(bytes) }

    #expect(error.reason == "the text continues after the end of the outermost element")
  }

  @Test func `text in UTF-16 and in ISO 8859-1 is decoded`() throws {
    let text = "<?xml version='1.0' encoding='ISO-8859-1'?><plist>\(Self.list)</plist>"
    var encoded = [try #require(text.data(using: .isoLatin1))]
    for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
      encoded.append(
        try #require(text.replacing("ISO-8859-1", with: "UTF-16").data(using: encoding)))
    }

    for bytes in encoded {
      #expect(DecodingOutcome<[String: String]>.ours(bytes) == .value(["title": "Zo\u{eb}"]))
    }
  }

  @Test func `an encoding that is not supported is refused without its name in the reason`() throws
  {
    let bytes = Data("<?xml version='1.0' encoding='koi8-r'?><plist>\(Self.list)</plist>".utf8)

    let error = try #require(throws: PropertyListError.self) { try PropertyListDocument(bytes) }

    #expect(error.reason == "the encoding is not supported; convert the file to UTF-8")
    #expect(error.excerpt == "koi8-r")
    #expect(error.location == .line(1, column: 31))
  }
}
