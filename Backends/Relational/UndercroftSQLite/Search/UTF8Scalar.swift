/// One Unicode scalar in a sequence of bytes that may not be valid UTF-8. (RFC 3629)
struct UTF8Scalar {
  let value: UInt32
  let byteCount: Int

  /// Decodes the scalar that begins at `offset`.
  ///
  /// Returns `nil` if there is no complete and valid scalar at `offset`.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset >= 0, offset < bytes.count else { return nil }
    let first = UInt32(bytes[offset])
    let (count, bits, least): (Int, UInt32, UInt32)
    switch first {
    case 0x00..<0x80: (count, bits, least) = (1, first, 0)
    case 0xc2..<0xe0: (count, bits, least) = (2, first & 0x1f, 0x80)
    case 0xe0..<0xf0: (count, bits, least) = (3, first & 0x0f, 0x800)
    case 0xf0..<0xf5: (count, bits, least) = (4, first & 0x07, 0x10000)
    default: return nil
    }
    guard count <= bytes.count - offset else { return nil }
    var value = bits
    for next in 1..<count {
      let byte = UInt32(bytes[offset + next])
      guard byte & 0xc0 == 0x80 else { return nil }
      value = value << 6 | byte & 0x3f
    }
    // Rejects overlong forms, surrogates, and values beyond U+10FFFF.
    guard value >= least, Unicode.Scalar(value) != nil else { return nil }
    self.value = value
    self.byteCount = count
  }

  /// Whether the scalar is an ideograph, kana, bopomofo or hangul.
  ///
  /// Texts in most of these scripts have no spaces between words. Korean texts have spaces, but
  /// attach endings and particles to the words.
  var isCJK: Bool {
    switch value {
    case 0x1100...0x11ff, 0x2e80...0x2fdf, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035,
      0x3038...0x303c, 0x3041...0x3096, 0x3099...0x309f, 0x30a1...0x30fa, 0x30fc...0x30ff,
      0x3105...0x312f, 0x3131...0x318e, 0x31a0...0x31bf, 0x31f0...0x31ff, 0x3400...0x4dbf,
      0x4e00...0x9fff, 0xa960...0xa97c, 0xac00...0xd7fb, 0xf900...0xfaff, 0xff66...0xffdc,
      0x1aff0...0x1b16f, 0x20000...0x3fffd:
      true
    default: false
    }
  }
}
