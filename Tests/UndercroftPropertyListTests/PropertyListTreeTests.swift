import Foundation
import Testing
import UndercroftPropertyList

@Suite struct PropertyListTreeTests {
  /// Arrays that contain each other, outermost first, with the number of references to the next.
  private func nestedArrays(depth: Int, references: Int = 1) -> Data {
    let marker = 0xa0 | UInt8(references)
    var file = BinaryFile(
      objects: (1..<depth).map { number in
        [marker]
          + (0..<references).flatMap { _ in BinaryFile.bigEndian(UInt64(number), width: 3) }
      } + [[0xa0]])
    file.referenceWidth = 3
    return file.data
  }

  private func depth(_ tree: PropertyListTree) -> Int { tree.map(\.depth).max() ?? -1 }

  @Test func `arrays nested 100000 deep are visited in both formats`() throws {
    let count = 100_000
    let xml =
      "<plist>" + String(repeating: "<array>", count: count)
      + String(repeating: "</array>", count: count) + "</plist>"
    let limits = PropertyListLimits(depth: 2 * count)

    for bytes in [nestedArrays(depth: count), Data(xml.utf8)] {
      let tree = PropertyListTree(try PropertyListDocument(bytes), limits: limits)
      #expect(depth(tree) == count - 1)
      #expect(tree.reduce(0) { sum, _ in sum + 1 } == 2 * count)
    }
  }

  @Test func `a container deeper than the limit is omitted, but not its siblings`() throws {
    let document = try PropertyListDocument(
      Data("<plist><array><array><array/></array><true/></array></plist>".utf8))

    let lines = Transcript.lines(
      PropertyListTree(document, limits: PropertyListLimits(depth: 2)))

    #expect(
      lines == ["array 2", "  array 1", "    truncated: depth", "  end", "  true", "end"])
  }

  @Test func `the walk over shared arrays of a binary billion laughs is linear`() throws {
    let document = try PropertyListDocument(nestedArrays(depth: 60, references: 14))

    let lines = Transcript.lines(PropertyListTree(document))

    #expect(lines.count == 60 * 2 + 59 * 13)
    #expect(lines.contains { $0.hasSuffix("object 59 again") })
  }

  @Test func `an array that contains itself is reported as a cycle`() throws {
    let document = try PropertyListDocument(BinaryFile([0xa2, 0, 1], [0xa1, 0]).data)

    let lines = Transcript.lines(PropertyListTree(document))

    #expect(
      lines == [
        "array 2", "  object 0 again, a cycle", "  array 1", "    object 0 again, a cycle", "  end",
        "end",
      ])
  }

  @Test func `a walk stops at the limit of nodes and ends all containers`() throws {
    let document = try PropertyListDocument(try GoldenFile.binaryLibrary.data())

    let lines = Transcript.lines(
      PropertyListTree(document, limits: PropertyListLimits(nodeCount: 10)))

    #expect(
      lines.suffix(6) == [
        "  array 2", "    dictionary 5", "      truncated: nodeCount", "    end", "  end", "end",
      ])
  }

  @Test func `a walk of no nodes is only an omission`() throws {
    let document = try PropertyListDocument(try GoldenFile.binaryLibrary.data())

    let lines = Transcript.lines(
      PropertyListTree(document, limits: PropertyListLimits(nodeCount: 0)))

    #expect(lines == ["truncated: nodeCount"])
  }

  @Test func `a walk stops when one long string is repeated too often`() throws {
    let length = 1 << 20
    let string =
      [0x5f, 0x12] + BinaryFile.bigEndian(UInt64(length), width: 4)
      + [UInt8](repeating: 0x61, count: length)
    let array =
      [0xaf, 0x12] + BinaryFile.bigEndian(100_000, width: 4)
      + [UInt8](repeating: 1, count: 100_000)
    let document = try PropertyListDocument(BinaryFile(array, string).data)

    let tree = PropertyListTree(document, limits: PropertyListLimits(textSize: 3 << 20))
    let lines = Transcript.lines(tree)

    #expect(lines.count == 7)
    #expect(lines.suffix(2) == ["  truncated: textSize", "end"])
  }

  @Test func `a walk stops when one long damaged string is decoded too often`() throws {
    let length = 1 << 20
    let string =
      [0x5f, 0x12] + BinaryFile.bigEndian(UInt64(length), width: 4)
      + [UInt8](repeating: 0x61, count: length - 1) + [0xff]
    let document = try PropertyListDocument(
      BinaryFile([0xaa] + [UInt8](repeating: 1, count: 10), string).data)

    let lines = Transcript.lines(
      PropertyListTree(document, limits: PropertyListLimits(textSize: 3 << 20)))

    #expect(lines.count == 7)
    #expect(lines.suffix(2) == ["  truncated: textSize", "end"])
  }

  @Test func `a damaged value does not end the walk`() throws {
    let document = try PropertyListDocument(BinaryFile([0xa3, 1, 9, 2], [0x0f], [0x09]).data)

    let lines = Transcript.lines(PropertyListTree(document))

    #expect(lines.count == 5)
    #expect(lines[1].hasPrefix("  unreadable: a reference leads to a fill byte"))
    #expect(lines[2].hasPrefix("  unreadable: a reference leads to object 9"))
    #expect(lines[3] == "  true")
  }

  @Test func `the iterator has the path of each value, with which the value is found`() throws {
    let documents = try [GoldenFile.binaryLibrary, .xmlLibrary].map {
      try PropertyListDocument(try $0.data())
    }

    for document in documents {
      var paths: [String] = []
      var iterator = PropertyListTree(document).makeIterator()
      while let event = iterator.next() {
        guard case .scalar(let value, _) = event.kind else { continue }
        let found = try iterator.path.reference(in: document)
        #expect(try document.value(at: found).description == value.description)
        paths.append(iterator.path.description)
      }
      #expect(paths.prefix(4) == ["name", "open", "closed", "books.0.title"])
      #expect(paths.last == #"a\.b"#)
    }
  }

  @Test func `a walk begins at a given value`() throws {
    let document = try PropertyListDocument(try GoldenFile.xmlLibrary.data())
    let start = try PropertyListPath("books.1").reference(in: document)

    let lines = Transcript.lines(PropertyListTree(document, from: start))

    #expect(lines.first == "dictionary 3")
    #expect(lines.count == 9)
  }

  @Test func `the elements of a container are a collection without decoded values`() throws {
    let document = try PropertyListDocument(nestedArrays(depth: 3, references: 5))

    guard case .array(let elements) = try document.value(at: document.root) else {
      Issue.record("the root is not an array")
      return
    }

    #expect(elements.map(\.number) == [1, 1, 1, 1, 1])
    #expect(elements.last == PropertyListReference(number: 1))
    #expect(elements.dropFirst(3).count == 2)
  }
}
