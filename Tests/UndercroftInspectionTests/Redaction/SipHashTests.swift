import Testing
import UndercroftInspection

@Suite struct SipHashTests {
  @Test func `SipHash returns the values of its reference implementation`() {
    let hash = SipHash(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

    #expect(hash.hash([]) == 0x726f_db47_dd0e_0e31)
    #expect(hash.hash([0]) == 0x74f8_39c5_93dc_67fd)
    #expect(hash.hash(Array(0..<15)) == 0xa129_ca61_49be_45e5)
  }

  @Test func `the description of a hash function does not contain its key`() {
    let key: UInt64 = 0x0123_4567_89ab_cdef

    #expect(!"\(SipHash(key, key))".contains("\(key)"))
    #expect(!String(reflecting: SipHash(key, key)).contains("\(key)"))
  }
}
