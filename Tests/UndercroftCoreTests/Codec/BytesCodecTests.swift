import Foundation
import Testing
import UndercroftCore

@Suite struct BytesCodecTests {
  @Test func `the bytes codec stores bytes unchanged`() throws {
    let codec = BytesCodec()

    #expect(try codec.encode(Data([0, 255])) == Data([0, 255]))
    #expect(try codec.encode([UInt8(7)]) == Data([7]))
    #expect(try codec.encode(Data?.some(Data([1]))) == Data([1]))
    #expect(try codec.decode(Data.self, from: Data([3])) == Data([3]))
    #expect(try codec.decode(Data?.self, from: Data([3])) == Data([3]))
    #expect(try codec.decode([UInt8].self, from: Data([3, 4])) == [3, 4])
  }

  @Test func `the bytes codec refuses to encode a string and to decode an integer`() {
    #expect(throws: StorageError.self) { try BytesCodec().encode("text") }
    #expect(throws: StorageError.self) { try BytesCodec().decode(Int.self, from: Data([3])) }
  }
}
