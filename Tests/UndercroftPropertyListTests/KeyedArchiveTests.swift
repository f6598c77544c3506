import Foundation
import Testing
import UndercroftPropertyList

@Suite struct KeyedArchiveTests {
  static let library = """
    dictionary 1
      root:
      dictionary NSMutableDictionary 3
        books:
        array NSArray 3
          object Library.Book 2
            title:
            Dune
            borrower:
            object Library.Reader 6
              name:
              Ada
              since:
              2001-01-01T00:00:00Z (NSDate)
              card:
              00010203-0405-0607-0809-0A0B0C0D0E0F (NSUUID)
              age:
              41
              library:
              object 1 again, a cycle
              nickname:
              null
            end
          end
          object 8 again
          Emma (NSMutableString)
        end
        owner:
        object 6 again
        link:
        https://library.example/ (NSURL)
      end
    end
    """

  @Test(arguments: [GoldenFile.binaryArchive, .xmlArchive])
  func `a keyed archive is shown as a tree of objects with cycles as references`(
    file: GoldenFile
  ) throws {
    let document = try PropertyListDocument(try file.data())

    let archive = try KeyedArchive(document)

    #expect(KeyedArchive.isKeyedArchive(document))
    #expect(archive.archiver == "NSKeyedArchiver")
    #expect(archive.version == 100_000)
    #expect(archive.objectCount == 23)
    #expect(archive.topKeys.count == 1)
    #expect(Transcript.text(PropertyListTree(archive)) == Self.library)
  }

  @Test func `an object has the names of its class and its superclasses`() throws {
    let archive = try KeyedArchive(
      try PropertyListDocument(try GoldenFile.binaryArchive.data()))

    let node = try archive.node(number: 1)

    let archivedClass = try #require(node.archivedClass)
    #expect(archivedClass.chain == ["NSMutableDictionary", "NSDictionary", "NSObject"])
    #expect(archivedClass.inherits(from: "NSDictionary"))
    #expect(!archivedClass.inherits(from: "NSArray"))
    #expect(node.objectNumber == 1)
  }

  @Test func `an object number out of range throws an error`() throws {
    let archive = try KeyedArchive(
      try PropertyListDocument(try GoldenFile.binaryArchive.data()))

    for number in [-1, 23, Int.max] {
      #expect(throws: PropertyListError.self) { try archive.node(number: number) }
    }
  }

  @Test func `a property list without the keys of an archive is not a keyed archive`() throws {
    let document = try PropertyListDocument(try GoldenFile.binaryLibrary.data())

    let error = try #require(throws: PropertyListError.self) { try KeyedArchive(document) }

    #expect(!KeyedArchive.isKeyedArchive(document))
    #expect(error.location == .byte(8))
    #expect(error.reason.contains("$archiver"))
  }

  // MARK: Hand-made objects

  private func uid(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  private func fields(_ members: [(String, String)]) -> String {
    "<dict>" + members.map { "<key>\($0.0)</key>\($0.1)" }.joined() + "</dict>"
  }

  /// Returns the walk over an archive of one object, whose class is object 2.
  private func lines(
    _ object: String, class name: String, others: [String] = [],
    limits: PropertyListLimits = PropertyListLimits()
  ) throws -> [String] {
    let description = fields([
      ("$classname", "<string>\(name)</string>"),
      ("$classes", "<array><string>\(name)</string></array>"),
    ])
    let text = fields([
      ("$version", "<integer>100000</integer>"), ("$archiver", "<string>NSKeyedArchiver</string>"),
      ("$top", fields([("root", uid(1))])),
      (
        "$objects",
        "<array><string>$null</string>\(object)\(description)\(others.joined())</array>"
      ),
    ])
    let document = try PropertyListDocument(Data("<plist>\(text)</plist>".utf8))
    let lines = Transcript.lines(PropertyListTree(try KeyedArchive(document), limits: limits))
    return lines.dropFirst(2).dropLast().map { String($0.dropFirst(2)) }
  }

  @Test func `a subclass of a collection with further fields shows all fields`() throws {
    let object = fields([
      ("$class", uid(2)), ("NS.objects", "<array/>"), ("shelf", "<integer>3</integer>"),
    ])

    let lines = try lines(object, class: "NSArray")

    #expect(
      lines == [
        "object NSArray 2", "  NS.objects:", "  array 0", "  end", "  shelf:", "  3", "end",
      ])
  }

  @Test func `wrappers of numbers, data and null are shown as values`() throws {
    let members: [(name: String, value: String, class: String, expected: String)] = [
      ("NS.intval", "<integer>5</integer>", "NSNumber", "5 (NSNumber)"),
      ("NS.data", "<data>AQI=</data>", "NSData", "2 bytes (NSData)"),
      ("NS.bytes", "<data>QWRh</data>", "NSString", "Ada (NSString)"),
    ]

    for member in members {
      let object = fields([("$class", uid(2)), (member.name, member.value)])
      #expect(try lines(object, class: member.class) == [member.expected])
    }
    #expect(try lines(fields([("$class", uid(2))]), class: "NSNull") == ["null (NSNull)"])
  }

  @Test func `a set is shown as a set and a URL with a base with its fields`() throws {
    let set = fields([("$class", uid(2)), ("NS.objects", "<array>\(uid(3))</array>")])
    let url = fields([("$class", uid(2)), ("NS.base", uid(3)), ("NS.relative", uid(3))])
    let others = ["<string>page</string>"]

    #expect(
      try lines(set, class: "NSMutableSet", others: others) == [
        "object NSMutableSet 1", "  NS.objects:", "  array 1", "    page", "  end", "end",
      ])
    #expect(try lines(set, class: "NSSet", others: others) == ["set NSSet 1", "  page", "end"])
    #expect(
      try lines(url, class: "NSURL", others: others) == [
        "object NSURL 2", "  NS.base:", "  page", "  NS.relative:", "  page", "end",
      ])
  }

  @Test func `a walk stops when an object decodes one long string too often`() throws {
    // The base is a string instead of null or an object.
    let url = fields([("$class", uid(2)), ("NS.base", uid(4)), ("NS.relative", uid(4))])
    let array = "<array>" + String(repeating: uid(3), count: 1000) + "</array>"
    let text = "<string>" + String(repeating: "a", count: 1 << 20) + "</string>"

    let lines = try lines(
      array, class: "NSURL", others: [url, text], limits: PropertyListLimits(textSize: 5 << 20))

    #expect(lines.contains("  truncated: textSize"))
    #expect(lines.count < 20)
  }

  @Test func `an object whose class is damaged shows the field with the class`() throws {
    let object = fields([("$class", uid(9)), ("shelf", "<integer>3</integer>")])

    let lines = try lines(object, class: "Library.Shelf")

    #expect(
      lines == [
        "dictionary 2", "  $class:",
        "  unreadable: a UID leads to object 9, but the archive has 3 objects", "  shelf:", "  3",
        "end",
      ])
  }

  @Test func `an object that is itself a UID is unreadable`() throws {
    #expect(
      try lines(uid(1), class: "NSArray") == [
        "unreadable: object 1 of the archive is a UID instead of a value"
      ])
  }

  @Test func `only object 0 with the text of the null object is null`() throws {
    let object = fields([("$class", uid(2)), ("a", uid(0)), ("b", uid(3))])

    let lines = try lines(object, class: "Library.Shelf", others: ["<string>$null</string>"])

    #expect(lines == ["object Library.Shelf 2", "  a:", "  null", "  b:", "  $null", "end"])
  }
}
