import CSQLite
// Foundation, not its essentials: only the former normalises Unicode.
import Foundation

/// The SQL function with which conditions ignore case, on every connection of this library.
///
/// Only statements can call the function, and nothing of the schema can, so that every other program can still read and
/// write the file. (`SQLITE_DIRECTONLY`)
package enum CaseFolding {
  /// The name of the function: `undercroft_folded(title)`.
  package static let functionName: StaticString = "undercroft_folded"

  /// Adds the function to a connection. (`sqlite3_create_function_v2`)
  static func add(to connection: OpaquePointer) {
    _ = sqlite3_create_function_v2(
      connection, functionName.description, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let value = values?[0] else { return }
        CaseFolding.answer(context, value)
      }, nil, nil, nil)
  }

  private static func answer(_ context: OpaquePointer?, _ value: OpaquePointer) {
    guard sqlite3_value_type(value) != SQLITE_NULL, let start = sqlite3_value_text(value) else {
      return sqlite3_result_null(context)
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    SQLValue.text(folded(String(decoding: bytes, as: UTF8.self))).answer(context)
  }

  /// Returns a text such that two texts that differ in case alone, or in normalisation, have the same result.
  ///
  /// Case is folded as Unicode does by default, independent of any language: "ß" is "ss", and "I" is never "ı". Canonically
  /// equivalent texts have the same result, in normal form C. (Unicode Standard, section 3.13, definition D145)
  package static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    let isNormal = text.unicodeScalars.allSatisfy(isAlwaysNormal)
    var scalars = String.UnicodeScalarView()
    for scalar in (isNormal ? text : text.decomposedStringWithCanonicalMapping).unicodeScalars {
      if let folding = foldings[scalar] {
        scalars.append(contentsOf: folding)
      } else {
        scalars.append(scalar)
      }
    }
    let folded = String(scalars)
    if isNormal, folded.unicodeScalars.allSatisfy(isAlwaysNormal) { return folded }
    return folded.precomposedStringWithCanonicalMapping
  }

  /// What each scalar is folded to that is not folded to itself.
  ///
  /// Swift has no table of foldings. Small letters of capitals of small letters are the same, but for the dotless "ı", which
  /// has no folding, and for Cherokee, which becomes small instead of capital. Looking each of them up costs 100 times as
  /// much as this table, which takes some milliseconds when it is first used. No script beyond U+1FFFF has cases.
  private static let foldings: [Unicode.Scalar: [Unicode.Scalar]] = {
    var foldings: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for scalar in (UInt32(0)...0x1_FFFF).lazy.compactMap(Unicode.Scalar.init)
    where scalar.properties.changesWhenCaseMapped && scalar != "\u{131}" {
      let small = scalar.properties.lowercaseMapping.unicodeScalars
      let capital = small.flatMap(\.properties.uppercaseMapping.unicodeScalars)
      let folding = capital.flatMap(\.properties.lowercaseMapping.unicodeScalars)
      if folding != [scalar] { foldings[scalar] = folding }
    }
    return foldings
  }()

  /// Whether texts of such scalars alone are in normal form C: no combining mark, and nothing that is composed of others.
  private static func isAlwaysNormal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Latin; Greek; Cyrillic.
    case 0..<0x300, 0x388..<0x400, 0x400..<0x483, 0x48A..<0x530: true
    // Kana; Chinese characters; Hangul.
    case 0x3041..<0x3097, 0x30A1..<0x30FB, 0x3400..<0xA000, 0xAC00..<0xD7A4: true
    default: false
    }
  }
}
