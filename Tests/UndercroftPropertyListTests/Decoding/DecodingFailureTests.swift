import Foundation
import Testing
import UndercroftPropertyList

/// Tests that wrong types, missing keys and nulls are the errors of Foundation's decoder, with the
/// same paths.
@Suite struct DecodingFailureTests {
  private struct Shelf: Codable, Equatable {
    var books: [Book]
    var place: String?
  }

  private struct Book: Codable, Equatable {
    var title: String
    var cover: Data?
    var lent: Date?
    var price: Float?
    // The last field, so that a list without it can have another wrong field.
    var pages: Int
  }

  // At most one value of each list has a wrong type, because the order in which Foundation decodes
  // the values of a dictionary is random.
  private static let contents = [
    "", "<key>books</key><array/>", "<key>books</key><dict/>",
    "<key>books</key><string>$null</string>",
    "<key>books</key><array><dict/></array>", "<key>books</key><array><true/></array>",
    "<key>books</key><array><dict><key>title</key><integer>1</integer></dict></array>",
    "<key>books</key><array><dict><key>title</key><string>$null</string></dict></array>",
    """
    <key>books</key><array><dict><key>title</key><string>a</string><key>pages</key>
    <string>1</string></dict></array>
    """,
    """
    <key>books</key><array><dict><key>title</key><string>a</string><key>pages</key>
    <real>1.5</real></dict></array>
    """,
    """
    <key>books</key><array><dict><key>title</key><string>a</string><key>cover</key>
    <string/></dict></array>
    """,
    """
    <key>books</key><array><dict><key>title</key><string>a</string><key>lent</key>
    <real>1</real></dict></array>
    """,
    """
    <key>books</key><array><dict><key>title</key><string>a</string><key>price</key>
    <true/></dict></array>
    """,
    "<key>books</key><array/><key>place</key><integer>1</integer>",
  ]

  @Test(arguments: contents)
  func `a value that has not the requested type fails as in Foundation`(content: String) throws {
    let bytes = Data("<plist><dict>\(content)</dict></plist>".utf8)

    expectSame(Shelf.self, bytes)
    expectSame([String: Int].self, bytes)
    expectSame([String: [Book]].self, bytes)
    expectSame([String: [[String: String]]].self, bytes)
    expectSame([String].self, bytes)
    expectSame(Date.self, bytes)
    expectSame(Data?.self, bytes)
  }

  /// The ways in which a test reads a dictionary with the keys `list` and `name`.
  enum Way: CaseIterable {
    case pastEnd, nilPastEnd, optionalPastEnd, containerPastEnd, listPastEnd, superPastEnd
    case missingContainer, missingList, missingNil, missingSuper, keyedInList, listInName
    case wrongElement, wrongNil, superOfList
  }

  private enum Keys: String, CodingKey { case list, name, missing }

  @Test(arguments: Way.allCases, WrittenFormat.allCases)
  func `a container that is read step by step fails as in Foundation`(
    way: Way, format: WrittenFormat
  ) throws {
    struct Library: Encodable {
      var list = [1, 2]
      var name = "Town Library"
    }
    let bytes = try format.encode(Library())
    let ours = try PropertyListDocument(bytes).decode(StoredDecoder.self)
    let foundation = try PropertyListDecoder().decode(StoredDecoder.self, from: bytes)

    let outcome = DecodingOutcome { try Self.read(way, ours.decoder) }
    let expected = DecodingOutcome { try Self.read(way, foundation.decoder) }

    #expect(outcome == expected)
  }

  /// Returns the paths of the containers that were read, and other results.
  private static func read(_ way: Way, _ decoder: any Decoder) throws -> [String] {
    let container = try decoder.container(keyedBy: Keys.self)
    var list = try container.nestedUnkeyedContainer(forKey: .list)
    var paths = [path(container.codingPath), path(list.codingPath)]
    func finish() throws { while !list.isAtEnd { _ = try list.decode(Int.self) } }
    switch way {
    case .pastEnd:
      try finish()
      _ = try list.decode(Int.self)
    case .nilPastEnd:
      try finish()
      _ = try list.decodeNil()
    case .optionalPastEnd:
      try finish()
      let number = try list.decodeIfPresent(Int.self)
      paths.append(number.map { "\($0)" } ?? "none")
    case .containerPastEnd:
      try finish()
      _ = try list.nestedContainer(keyedBy: Keys.self)
    case .listPastEnd:
      try finish()
      _ = try list.nestedUnkeyedContainer()
    case .superPastEnd:
      try finish()
      _ = try list.superDecoder()
    case .missingContainer:
      _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .missing)
    case .missingList: _ = try container.nestedUnkeyedContainer(forKey: .missing)
    case .missingNil: _ = try container.decodeNil(forKey: .missing)
    case .missingSuper:
      let decoder = try container.superDecoder()
      paths.append(path(decoder.codingPath))
      let isNull = try decoder.singleValueContainer().decodeNil()
      paths.append("\(isNull)")
      _ = try decoder.container(keyedBy: Keys.self)
    case .keyedInList: _ = try list.nestedContainer(keyedBy: Keys.self)
    case .listInName: _ = try container.nestedUnkeyedContainer(forKey: .name)
    case .wrongElement:
      _ = try list.decode(Int.self)
      _ = try list.decode(String.self)
    case .wrongNil:
      let areNull = (try list.decodeNil(), try container.decodeNil(forKey: .name))
      paths.append("\(areNull) \(list.currentIndex)")
    case .superOfList:
      let decoder = try list.superDecoder()
      paths.append(path(decoder.codingPath) + "\(list.currentIndex)")
      _ = try decoder.singleValueContainer().decode(String.self)
    }
    return paths
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: "/")
  }

  private func expectSame<Value: Decodable & Equatable>(
    _ type: Value.Type, _ bytes: Data, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      DecodingOutcome<Value>.ours(bytes) == .foundation(bytes), "\(Value.self)",
      sourceLocation: location)
  }
}
