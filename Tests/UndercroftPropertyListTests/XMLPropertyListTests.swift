import Foundation
import Testing
import UndercroftPropertyList

@Suite struct XMLPropertyListTests {
  private func document(_ content: String) throws -> PropertyListDocument {
    try PropertyListDocument(Data("<plist>\(content)</plist>".utf8))
  }

  private func value(_ content: String) throws -> PropertyListValue {
    let document = try document(content)
    return try document.value(at: document.root)
  }

  // MARK: Values

  private static let scalars: [(String, String)] = [
    ("<true/>", "true"), ("<false></false>", "false"), ("<integer> 12 </integer>", "12"),
    ("<integer>-0x1F</integer>", "-31"), ("<integer>+7</integer>", "7"),
    ("<integer>18446744073709551615</integer>", "18446744073709551615"),
    ("<real>1e3</real>", "1000.0"), ("<real>-infinity</real>", "-inf"), ("<real>nan</real>", "nan"),
    ("<date>2001-01-01T00:00:00Z</date>", "2001-01-01T00:00:00Z"),
    ("<date>2024-02-29T23:59:59Z</date>", "2024-02-29T23:59:59Z"),
    ("<date>0001-01-01T00:00:00Z</date>", "0001-01-01T00:00:00Z"),
    ("<date>999999999-01-01T00:00:00Z</date>", "3.15568888229376e+16 seconds since 2001"),
    ("<data> AQ I=\n</data>", "2 bytes"), ("<data/>", "0 bytes"), ("<string/>", ""),
    ("<string>a&lt;&#x1F4DA;&#65;&amp;&gt;&quot;&apos;</string>", "a<📚A&>\"'"),
    ("<string>a<![CDATA[<b>&]]>c<!-- d -->e</string>", "a<b>&ce"),
    ("<string>a\r\nb\rc</string>", "a\r\nb\rc"), ("<string>&#0;</string>", "\0"),
    ("<date>2001-01-01T24:00:00Z</date>", "2001-01-02T00:00:00Z"),
    ("<integer>\u{a0}- 7\u{3000}</integer>", "-7"), ("<integer>0X7f</integer>", "127"),
    ("<string> a </string >", " a "),
    ("<dict><key>CF$UID</key><integer>3</integer></dict>", "UID(3)"),
    ("<dict><key>CF$UID</key><integer>-3</integer></dict>", "dictionary of 1"),
  ]

  @Test(arguments: scalars)
  func `every type of element is decoded`(content: String, expected: String) throws {
    #expect(try value(content).description == expected)
  }

  @Test func `repeated keys remain as they are`() throws {
    let document = try document("<dict><key>a</key><true/><key>a</key><false/></dict>")

    let lines = Transcript.lines(PropertyListTree(document))

    #expect(lines == ["dictionary 2", "  a:", "  true", "  a:", "  false", "end"])
  }

  @Test func `text in UTF-16 with and without a byte order mark is read like UTF-8`() throws {
    let text = try #require(
      String(data: try GoldenFile.xmlLibrary.data(), encoding: .utf8)
    ).replacingOccurrences(of: "UTF-8", with: "UTF-16")

    for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
      let bytes = try #require(text.data(using: encoding))
      let document = try PropertyListDocument(bytes)
      #expect(Transcript.text(PropertyListTree(document)) == PropertyListDocumentTests.library)
    }
  }

  @Test func `a byte order mark, comments and processing instructions are skipped`() throws {
    let text = """
      \u{feff}<?xml version='1.0' encoding='utf-8'?><!-- <plist> -->
      <!DOCTYPE plist SYSTEM "a[b]>c"><?shelf 3?><plist version="1.0 > 2"><!----><true/><?x?>
      </plist><!-- end -->
      """

    let document = try PropertyListDocument(Data(text.utf8))

    #expect(try document.value(at: document.root).description == "true")
  }

  // MARK: Damaged values

  private static let damagedValues: [(String, String)] = [
    ("<integer>x</integer>", "not an integer"), ("<integer/>", "not an integer"),
    ("<integer>--1</integer>", "not an integer"), ("<integer>0x-1</integer>", "not an integer"),
    ("<integer>\(String(repeating: "9", count: 40))</integer>", "at most 128 bits"),
    ("<integer>\(String(repeating: "0", count: 5000))</integer>", "not an integer"),
    ("<real>1,5</real>", "not a real number"), ("<date>2001-13-01T00:00:00Z</date>", "not a date"),
    ("<date>2001-01-01</date>", "not a date"), ("<data>A</data>", "not valid Base64"),
    ("<data>AQ=I</data>", "not valid Base64"), ("<data>====</data>", "not valid Base64"),
    ("<data>A!==</data>", "not valid Base64"), ("<data>AQI</data>", "with padding"),
    ("<data>AQ==AQ==</data>", "not valid Base64"), ("<true>x</true>", "contains text"),
    ("<real>0x1p4</real>", "not a real number"), ("<date>2001-1-01T00:00:00Z</date>", "not a date"),
    ("<date>2001-01-01T24:00:01Z</date>", "not a date"),
    ("<integer>\u{1}1</integer>", "not an integer"),
  ]

  @Test(arguments: damagedValues)
  func `a damaged value throws an error when it is requested`(
    content: String, reason: String
  ) throws {
    let document = try document("<array>\n  \(content)<true/></array>")

    let lines = Transcript.lines(PropertyListTree(document))
    let error = try #require(throws: PropertyListError.self) {
      try document.value(at: PropertyListReference(number: 1))
    }

    #expect(error.reason.contains(reason), "\(error)")
    #expect(error.location == .line(2, column: 3))
    #expect(lines == ["array 2", "  unreadable: \(error.reason)", "  true", "end"])
  }

  @Test func `a string that is not valid UTF-8 throws an error when it is requested`() throws {
    let bytes = Data("<plist><string>".utf8) + Data([0xff]) + Data("</string></plist>".utf8)
    let document = try PropertyListDocument(bytes)

    #expect(
      throws: PropertyListError(
        location: .line(1, column: 8), reason: "the string is not valid UTF-8")
    ) { try document.value(at: document.root) }
  }

  // MARK: Damaged structure

  private static let damaged: [(text: String, line: Int, column: Int, reason: String)] = [
    ("", 1, 1, "no element plist"), ("<key/>", 1, 1, "outermost element is a key"),
    ("<html/>", 1, 1, "no such element: \"html\""), ("<dict=a/>", 1, 1, "no such element"),
    ("<dict/>\n<dict/>", 2, 1, "continues after the end"),
    ("<plist><?><true/></plist>", 1, 8, "no name"),
    ("<plist><string <true/></plist>", 1, 16, "inside of another tag"),
    ("<plist/>", 1, 1, "has no value"),
    ("<plist>", 1, 8, "ends inside of the element plist"), ("<plist", 1, 7, "start tag has no end"),
    ("<plist>\n<true/><true/></plist>", 2, 8, "more than one value"),
    ("<plist>\n<dict><true/></dict></plist>", 2, 7, "has no key"),
    ("<plist>\n<dict><key>a</key></dict></plist>", 2, 19, "last key of the dictionary"),
    ("<plist>\n<dict><key>a</key><key>b</key></dict></plist>", 2, 19, "has no value"),
    ("<plist>\n<key>a</key></plist>", 2, 1, "outside of a dictionary"),
    ("<plist><array>\n<plist/></array></plist>", 2, 1, "inside of another element"),
    ("<plist>ë📚\n</plist>", 1, 8, "contains text"), ("<plist><array></plist>", 1, 15, "match"),
    ("<plist><string>a</key></plist>", 1, 17, "does not match"),
    ("<plist><string>a<b/></string></plist>", 1, 17, "contains another element"),
    ("<plist><string>ë📚&book;</string></plist>", 1, 18, "five predefined"),
    ("<plist><string>&#;</string></plist>", 1, 16, "not a character"),
    ("<plist><string>&#xD800;</string></plist>", 1, 16, "not a character"),
    ("<plist><string>&#x110000;</string></plist>", 1, 16, "not a character"),
    ("<plist><string>&#+5;</string></plist>", 1, 16, "not a character"),
    ("<plist><string>a & b</string></plist>", 1, 18, "no valid reference"),
    ("<plist><string><![CDATA[a</string></plist>", 1, 25, "CDATA section has no end"),
    ("<plist><!-- a", 1, 12, "comment has no end"), ("<true/>x", 1, 8, "continues"),
    ("<?xml encoding='koi8-r'?><plist/>", 1, 17, "encoding is not supported"),
    ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>", 1, 17, "internal subset"),
    ("<plist><string>a", 1, 8, "has no end tag"), ("<plist><true/", 1, 13, "start tag has no end"),
  ]

  @Test(arguments: damaged)
  func `damaged structure is refused with its line and column`(
    text: String, line: Int, column: Int, reason: String
  ) throws {
    let error = try #require(throws: PropertyListError.self) {
      try PropertyListDocument(Data(text.utf8))
    }

    #expect(error.location == .line(line, column: column), "\(error)")
    #expect(error.description.contains(reason), "\(error)")
  }

  @Test(arguments: [
    "<true/>", "<!-- a --><true/>\n", "<plist><true/></plist>x", "<plist><true/></plist>\0<",
    "<plist version=\"1.0><true/></plist>", "<plist version=1.0/2><true/></plist>",
    "<plist version='1>0'><true/></plist>", "<!DOCTYPE plist \"x><plist><true/></plist>",
    "<!DOCTYPE x><!-- a --><!DOCTYPE y><plist><true/></plist>",
    "<?xml encoding=koi8-r?><true/>", "\u{feff}<?xml encoding='koi8-r'?><true/>",
  ])
  func `a document with an unusual beginning or end is read`(text: String) throws {
    let document = try PropertyListDocument(Data(text.utf8))

    #expect(try document.value(at: document.root).description == "true")
  }

  @Test func `text in ISO 8859-1 is read`() throws {
    let text = "<?xml version='1.0' encoding='ISO-8859-1'?><plist><string>Zo\u{eb}</string></plist>"
    let bytes = try #require(text.data(using: .isoLatin1))

    let document = try PropertyListDocument(bytes)

    #expect(try document.value(at: document.root).description == "Zo\u{eb}")
  }

  @Test func `the reason of an error contains no text of the file`() throws {
    for text in [
      "<secret/>", "<plist><string>a</secret></plist>", "<plist><string>&secret;</string></plist>",
      "<plist><string>&#secret;</string></plist>", "<?xml encoding='secret'?><plist/>",
    ] {
      let error = try #require(throws: PropertyListError.self) {
        try PropertyListDocument(Data(text.utf8))
      }
      #expect(!error.reason.contains("secret"))
      #expect(error.excerpt?.contains("secret") == true)
    }
  }

  @Test func `entities that expand to a billion laughs are refused`() throws {
    let entities = (1...9).map { "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);\">" }.joined()
    let text =
      "<!DOCTYPE plist [<!ENTITY l0 \"ha\">\(entities)]><plist><string>&l9;</string></plist>"

    let error = try #require(throws: PropertyListError.self) {
      try PropertyListDocument(Data(text.utf8))
    }

    #expect(error.reason.contains("internal subset"))
  }

  @Test func `text in UTF-32 and damaged UTF-16 are refused`() throws {
    let damaged: [[UInt8]] = [
      [0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0], [0, 0, 0, 0x3c], [0xfe, 0xff, 0, 0x3c, 0],
      [0xfe, 0xff, 0, 0x3c, 0xd8, 0], [0xff, 0xfe, 0, 0xdc],
    ]

    for bytes in damaged {
      let error = try #require(throws: PropertyListError.self) {
        try PropertyListDocument(Data(bytes))
      }
      #expect(error.reason.contains("UTF-"), "\(error)")
    }
  }
}
