import Foundation
import Testing
import UndercroftPropertyList

@Suite struct PropertyListPathTests {
  private func document() throws -> PropertyListDocument {
    try PropertyListDocument(try GoldenFile.binaryLibrary.data())
  }

  private func failure(_ path: String) throws -> PropertyListPathError {
    let document = try document()
    return try #require(throws: PropertyListPathError.self) {
      try PropertyListPath(path).reference(in: document)
    }
  }

  @Test(
    arguments: [
      ("", []), ("loans.0.title", ["loans", "0", "title"]), (#"a\.b.c\\"#, ["a.b", #"c\"#]),
      (#"a\b\"#, [#"a\b\"#]), (".", ["", ""]),
    ] as [(String, [String])])
  func `the text of a path is split at dots that have no backslash before them`(
    text: String, components: [String]
  ) {
    let path = PropertyListPath(text)

    #expect(path.components == components)
    #expect(PropertyListPath(path.description) == path)
  }

  @Test(arguments: [
    ("name", "Town Library"), ("books.1.year", "-44"), ("sizes.5", "9223372036854775813"),
    (#"a\.b"#, "dotted"), ("", "dictionary of 6"),
  ])
  func `a path leads to a value`(path: String, expected: String) throws {
    let document = try document()

    let reference = try PropertyListPath(path).reference(in: document)

    #expect(try document.value(at: reference).description == expected)
  }

  @Test func `a missing key names the available keys`() throws {
    let error = try failure("books.0.author.name")

    #expect(error.component == "author")
    #expect(error.position == 2)
    #expect(
      error.description == """
        cannot find "author" of the path "books.0.author.name": "books.0" does not have this key; \
        the keys are "title", "year", "price", "due", "cover"
        """)
  }

  @Test func `a missing key of a large dictionary names only the first keys`() throws {
    let members = (0..<20).map { "<key>k\($0)</key><true/>" }.joined()
    let document = try PropertyListDocument(Data("<plist><dict>\(members)</dict></plist>".utf8))

    let error = try #require(throws: PropertyListPathError.self) {
      try PropertyListPath("x").reference(in: document)
    }

    #expect(error.description.hasSuffix("\"k6\", \"k7\" and 12 more"))
    #expect(error.description.contains("the root does not have this key"))
  }

  @Test(arguments: ["books.2", "books.-1", "books.x", "books.99999999999999999999", "books."])
  func `an invalid index names the valid ones`(path: String) throws {
    let error = try failure(path)

    #expect(error.reason == .invalidIndex(count: 2))
    #expect(error.description.hasSuffix("\"books\" has 2 elements; use an index from 0 to 1"))
  }

  @Test func `a path through a single value or an empty array throws an error`() throws {
    #expect(try failure("name.0").reason == .notAContainer)
    #expect(try failure("books.1.notes.0").description.hasSuffix("has no elements"))
  }

  @Test func `a path through a damaged value has the error of the value`() throws {
    let document = try PropertyListDocument(BinaryFile([0xa1, 5]).data)

    let error = try #require(throws: PropertyListPathError.self) {
      try PropertyListPath("0.title").reference(in: document)
    }

    guard case .unreadable(let cause) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(cause.location == .byte(9))
    #expect(error.description.hasSuffix(cause.description))
  }

  @Test func `a path of a keyed archive resolves objects and keys of dictionaries`() throws {
    for file in [GoldenFile.binaryArchive, .xmlArchive] {
      let archive = try KeyedArchive(try PropertyListDocument(try file.data()))

      let reference = try PropertyListPath("root.books.1.borrower.name").reference(in: archive)
      let error = try #require(throws: PropertyListPathError.self) {
        try PropertyListPath("root.loans").reference(in: archive)
      }

      guard case .scalar(.string(let name)) = try archive.node(at: reference).content else {
        Issue.record("the value is not a string")
        return
      }
      #expect(name == "Ada")
      #expect(error.reason == .missingKey(available: ["books", "owner", "link"], count: 3))
    }
  }

  @Test func `keys that are canonically equivalent but have other bytes are different`() throws {
    let text = "<plist><dict><key>Zoe\u{308}</key><true/><key>Zo\u{eb}</key><false/></dict></plist>"
    let document = try PropertyListDocument(Data(text.utf8))

    let reference = try PropertyListPath(["Zo\u{eb}"]).reference(in: document)

    #expect(try document.value(at: reference).description == "false")
  }
}
