import Foundation
import Testing
import UndercroftPropertyList

@Suite struct PropertyListDocumentTests {
  static let library = """
    dictionary 6
      name:
      Town Library
      open:
      true
      closed:
      false
      books:
      array 2
        dictionary 5
          title:
          Dune
          year:
          1965
          price:
          9.5
          due:
          2026-11-27T18:10:05Z
          cover:
          5 bytes
        end
        dictionary 3
          title:
          Zoë & <Ada> 📚
          year:
          -44
          notes:
          array 0
          end
        end
      end
      sizes:
      array 6
        1
        300
        70000
        1099511627776
        -1
        9223372036854775813
      end
      a.b:
      dotted
    end
    """

  @Test(arguments: [
    (GoldenFile.binaryLibrary, PropertyListDocument.Format.binary),
    (GoldenFile.xmlLibrary, .xml),
  ])
  func `a library written by Python has the same values in both formats`(
    file: GoldenFile, format: PropertyListDocument.Format
  ) throws {
    let bytes = try file.data()

    let document = try PropertyListDocument(bytes)

    #expect(document.format == format)
    // `end` has the depth of its container, as the transcript is indented by depth.
    #expect(Transcript.text(PropertyListTree(document)) == Self.library)
  }

  @Test func `a document of a slice of data is read at the offsets of the slice`() throws {
    let bytes = try GoldenFile.binaryLibrary.data()
    let slice = (Data([1, 2, 3]) + bytes + Data([4])).dropFirst(3).dropLast()

    let document = try PropertyListDocument(slice)

    #expect(Transcript.text(PropertyListTree(document)) == Self.library)
  }

  @Test(arguments: [
    "bplist00", "bplist15", "<plist version='1.0'>", "<!DOCTYPE plist PUBLIC",
    "<?xml version=\"1.0\"?>\n<plist>", "\u{feff}<?xml version=\"1.0\"?><!DOCTYPE plist",
    " \n<!-- a catalogue --><plist>",
  ])
  func `the first bytes of a property list are recognized`(start: String) {
    #expect(PropertyListDocument.isPropertyList(Data(start.utf8)))
  }

  @Test func `the first bytes of a property list in UTF-16 are recognized`() throws {
    let text = "<?xml version=\"1.0\"?><plist>"

    for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
      let bytes = try #require(text.data(using: encoding))
      #expect(PropertyListDocument.isPropertyList(bytes))
    }
  }

  @Test(arguments: [
    "", "bplis", "{\"plist\": 1}", "<?xml version=\"1.0\"?><html>", "SQLite format 3",
  ])
  func `the first bytes of other files are not recognized`(start: String) {
    #expect(!PropertyListDocument.isPropertyList(Data(start.utf8)))
  }

  @Test func `a reference to a missing object throws an error in both formats`() throws {
    for file in [GoldenFile.binaryLibrary, .xmlLibrary] {
      let document = try PropertyListDocument(try file.data())

      for number in [-1, document.objectCount, Int.max, Int.min] {
        #expect(throws: PropertyListError.self) {
          try document.value(at: PropertyListReference(number: number))
        }
      }
    }
  }

  @Test func `the location of an object is a byte offset or a line and a column`() throws {
    let binary = try PropertyListDocument(try GoldenFile.binaryLibrary.data())
    let xml = try PropertyListDocument(Data("<plist>\n <true/></plist>".utf8))

    #expect(try binary.location(of: binary.root) == .byte(8))
    #expect(try xml.location(of: xml.root) == .line(2, column: 2))
  }
}
