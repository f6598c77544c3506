import Foundation
import TestSupport
import Testing
import UndercroftFileSystem
import UndercroftInspection

/// Tests of the search for a text in files.
@Suite struct FileSearcherTests {
  private static let pieceSize = 1 << 17

  @Test(arguments: [-8, -7, -6, -1, 0, 1])
  func `a text is found across the end of a piece`(distance: Int) throws {
    let folder = try TemporaryDirectory()
    for border in [Self.pieceSize, 2 * Self.pieceSize] {
      let text = String(repeating: "x", count: border + distance) + "library" + "yyy"
      try folder.write(text, to: "book")
      var searcher = FileSearcher(ValueFilter(BytePattern("library")))

      let isFound = try searcher.finds(in: Descriptor(opening: folder.file("book"), O_RDONLY))

      #expect(isFound, "\(border)")
    }
  }

  @Test func `a text at the end of a file is found whatever the size of the file`() throws {
    let folder = try TemporaryDirectory()
    for size in [0, 1, Self.pieceSize - 7, Self.pieceSize, 3 * Self.pieceSize - 7] {
      try folder.write(String(repeating: "x", count: size) + "library", to: "book")
      var searcher = FileSearcher(ValueFilter(BytePattern("library")))

      let isFound = try searcher.finds(in: Descriptor(opening: folder.file("book"), O_RDONLY))

      #expect(isFound, "\(size)")
    }
  }

  @Test func `a text that begins in one file and ends in the next is not found`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(String(repeating: "x", count: Self.pieceSize - 3) + "lib", to: "first")
    try folder.write("rary", to: "second")
    var searcher = FileSearcher(ValueFilter(BytePattern("library")))

    for name in ["first", "second", "first"] {
      let isFound = try searcher.finds(in: Descriptor(opening: folder.file(name), O_RDONLY))

      #expect(!isFound, "\(name)")
    }
  }

  @Test func `a text that is longer than a piece is found`() throws {
    let folder = try TemporaryDirectory()
    let long = String(repeating: "shelf ", count: Self.pieceSize / 3)
    try folder.write("books " + long + "end", to: "book")
    var present = FileSearcher(ValueFilter(BytePattern(long + "end")))
    var absent = FileSearcher(ValueFilter(BytePattern(long + "mid")))

    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)

    let isFound = try present.finds(in: file)
    let isWronglyFound = try absent.finds(in: file)

    #expect(isFound)
    #expect(!isWronglyFound)
  }

  @Test(arguments: [true, false])
  func `a file that begins like gzip data is found only if the filter includes such data`(
    includesGzipData: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    try Data([0x1f, 0x8b, 0x08, 0, 0x20]).write(to: URL(filePath: folder.file("cover")))
    try Data([0x20, 0x1f, 0x8b, 0x08, 0]).write(to: URL(filePath: folder.file("book")))
    var searcher = FileSearcher(
      ValueFilter(BytePattern("library"), includesGzipData: includesGzipData))

    let isCoverFound = try searcher.finds(in: Descriptor(opening: folder.file("cover"), O_RDONLY))
    let isBookFound = try searcher.finds(in: Descriptor(opening: folder.file("book"), O_RDONLY))

    #expect(isCoverFound == includesGzipData)
    #expect(!isBookFound)
  }

  @Test func `the offsets of all occurrences are passed in ascending order`() throws {
    let folder = try TemporaryDirectory()
    let offsets = [0, 2, 9_000, Self.pieceSize - 3, Self.pieceSize + 5, 2 * Self.pieceSize - 1]
    var bytes = Data(repeating: UInt8(ascii: "x"), count: 2 * Self.pieceSize + 100)
    for offset in offsets { bytes.replaceSubrange(offset..<offset + 3, with: Data("aba".utf8)) }
    try bytes.write(to: URL(filePath: folder.file("book")))
    var searcher = FileSearcher(ValueFilter(BytePattern("aba")))
    let file = try Descriptor(opening: folder.file("book"), O_RDONLY)
    var (found, first): ([Int], [Int]) = ([], [])

    try searcher.forEachOccurrence(in: file) { offset in
      found.append(offset)
      return true
    }
    try searcher.forEachOccurrence(in: file) { offset in
      first.append(offset)
      return false
    }

    // The first two occurrences overlap.
    #expect(found == offsets)
    #expect(first == [0])
  }
}
