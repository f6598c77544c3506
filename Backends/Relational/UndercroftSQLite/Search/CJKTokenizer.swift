import CSQLite
import UndercroftCore

/// The FTS5 tokenizer `undercroft_cjk`, which makes each
/// ideograph, kana, bopomofo or hangul character a token.
///
/// The tokenizer passes all other text to the tokenizer `unicode61`, and accepts
/// the arguments of `unicode61`. FTS5 converts a query for several CJK characters
/// to a phrase. A query can therefore find every part of a CJK text, even a single
/// character. Every connection has the tokenizer if the SQLite library has FTS5.
final class CJKTokenizer {
  static let name = "undercroft_cjk"

  private let methods: fts5_tokenizer
  private let words: OpaquePointer

  private init(_ methods: fts5_tokenizer, _ words: OpaquePointer) {
    self.methods = methods
    self.words = words
  }

  deinit { methods.xDelete?(words) }

  /// Adds the tokenizer `undercroft_cjk` to a connection if the SQLite library has FTS5.
  /// (`xCreateTokenizer`)
  static func add(to connection: OpaquePointer) {
    guard let api = undercroft_sqlite_fts5(connection) else { return }
    var methods = Self.methods
    // If memory is insufficient, opening a table that names the tokenizer reports the error.
    _ = api.pointee.xCreateTokenizer(api, name, api, &methods, nil)
  }

  private static let methods = fts5_tokenizer(
    xCreate: { context, arguments, count, result in
      guard let context, let result else { return SQLITE_MISUSE }
      let api = context.assumingMemoryBound(to: fts5_api.self)
      var methods = fts5_tokenizer()
      var base: UnsafeMutableRawPointer?
      var code = api.pointee.xFindTokenizer(api, "unicode61", &base, &methods)
      guard code == SQLITE_OK, let create = methods.xCreate else { return code }
      var words: OpaquePointer?
      code = create(base, arguments, count, &words)
      guard code == SQLITE_OK, let words else { return code }
      let made = Unmanaged.passRetained(CJKTokenizer(methods, words))
      result.pointee = OpaquePointer(made.toOpaque())
      return SQLITE_OK
    },
    xDelete: { pointer in
      guard let pointer else { return }
      Unmanaged<CJKTokenizer>.fromOpaque(UnsafeRawPointer(pointer)).release()
    },
    xTokenize: { pointer, context, flags, text, count, emit in
      guard let pointer, let emit else { return SQLITE_MISUSE }
      let tokenizer = Unmanaged<CJKTokenizer>.fromOpaque(UnsafeRawPointer(pointer))
        .takeUnretainedValue()
      return tokenizer.tokenize(
        UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(count)), flags,
        Sink(context: context, emit: emit, offset: 0))
    })

  /// The receiver of the tokens of one part of the text.
  ///
  /// `unicode61` reports offsets from the beginning of the part. `offset`,
  /// the position of the part in the text, is added to these offsets.
  private struct Sink {
    let context: UnsafeMutableRawPointer?
    let emit:
      @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
      ) -> Int32
    var offset: Int32
  }

  private func tokenize(
    _ text: UnsafeRawBufferPointer, _ flags: Int32, _ sink: Sink
  ) -> Int32 {
    // The offset of the current run of characters that are not CJK.
    var begin = 0
    var offset = 0
    while offset < text.count {
      // The CJK ranges begin at U+1100, whose first byte in UTF-8 is 0xE1.
      guard text[offset] >= 0xe1, let scalar = UTF8Scalar(text, at: offset) else {
        offset += 1
        continue
      }
      let end = offset + scalar.byteCount
      if scalar.isCJK {
        var code = tokenizeWords(text, begin..<offset, flags, sink)
        guard code == SQLITE_OK else { return code }
        let start = text.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
        code = sink.emit(
          sink.context, 0, start, Int32(scalar.byteCount), Int32(clamping: offset),
          Int32(clamping: end))
        guard code == SQLITE_OK else { return code }
        begin = end
      }
      offset = end
    }
    return tokenizeWords(text, begin..<text.count, flags, sink)
  }

  private func tokenizeWords(
    _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ flags: Int32, _ sink: Sink
  ) -> Int32 {
    guard !range.isEmpty, let tokenize = methods.xTokenize else { return SQLITE_OK }
    let start = text.baseAddress?.advanced(by: range.lowerBound)
      .assumingMemoryBound(to: CChar.self)
    let count = Int32(clamping: range.count)
    if range.lowerBound == 0 {
      return tokenize(words, sink.context, flags, start, count, sink.emit)
    }
    var sink = sink
    sink.offset = Int32(clamping: range.lowerBound)
    return withUnsafeMutablePointer(to: &sink) { sink in
      tokenize(words, sink, flags, start, count) { context, flags, token, count, begin, end in
        guard let sink = context?.assumingMemoryBound(to: Sink.self).pointee else {
          return SQLITE_MISUSE
        }
        return sink.emit(
          sink.context, flags, token, count, begin &+ sink.offset, end &+ sink.offset)
      }
    }
  }
}
