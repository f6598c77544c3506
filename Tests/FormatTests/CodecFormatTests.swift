import FixtureLibrary
import Foundation
import Testing
import Undercroft

/// Tests that pin the bytes that the codecs write for values.
@Suite struct CodecFormatTests {
  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>value</key>
    \t<string>Silence &amp; order</string>
    </dict>
    </plist>

    """

  @Test func `a string encoded as a property list has the golden bytes`() throws {
    let bytes = try PropertyListCodec(.xml).encode("Silence & order")

    #expect(String(decoding: bytes, as: UTF8.self) == Self.xml)
  }

  @Test func `the golden bytes of a property list are decoded as a string`() throws {
    let text = try PropertyListCodec().decode(String.self, from: Data(Self.xml.utf8))

    #expect(text == "Silence & order")
  }

  @Test func `a number encoded as a binary property list has the golden bytes`() throws {
    let bytes = try PropertyListCodec().encode(42)

    // One dictionary of one pair: the key "value" and the integer.
    #expect(
      bytes.hex == Data("bplist00".utf8).hex + "d101025576616c7565102a080b11"
        + "000000000000010100000000000000030000000000000000000000000000" + "0013")
  }

  @Test func `a structure encoded as JSON has the golden bytes`() throws {
    let bytes = try JSONCodec().encode(ReadingRoom.north)

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"isOpen":true,"name":"North & <quiet>","opened":700000000,"plan":"AAH/","#
        + #""seats":42,"shelves":["A","Ö"]}"#)
  }
}
