import CSQLite
// Foundation, because FoundationEssentials cannot normalise Unicode.
import Foundation

/// The SQL function `undercroft_folded`, with which queries compare text without regard to case.
///
/// Every connection of this library has the function.
///
/// Statements can call the function, but the schema cannot (`SQLITE_DIRECTONLY`). So the file never
/// depends on the function, and every other program can still read and write the file.
package enum CaseFolding {
  /// The name of the function, as in `undercroft_folded(title)`.
  package static let functionName: StaticString = "undercroft_folded"

  /// Adds the function `undercroft_folded` to a connection. (`sqlite3_create_function_v2`)
  static func add(to connection: OpaquePointer) {
    _ = sqlite3_create_function_v2(
      connection, functionName.description, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let value = values?[0] else { return }
        CaseFolding.setResult(context, value)
      }, nil, nil, nil)
  }

  private static func setResult(_ context: OpaquePointer?, _ value: OpaquePointer) {
    guard sqlite3_value_type(value) != SQLITE_NULL, let start = sqlite3_value_text(value) else {
      return sqlite3_result_null(context)
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    SQLValue.text(folded(String(decoding: bytes, as: UTF8.self))).setResult(context)
  }

  /// Returns the case-folded, normalised form of `text`.
  ///
  /// Two strings that differ only in case, or only in normalisation, have the same result. Case is
  /// folded by the default rules of Unicode, which do not depend on a language: "ß" becomes "ss",
  /// and "I" never becomes "ı". The result is in normal form C. (Unicode Standard, section 3.13,
  /// definition D145)
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

  /// The case folding of every scalar that does not fold to itself.
  ///
  /// Swift has no table of case foldings. The folding is computed as the lowercase of the uppercase
  /// of the lowercase. For two kinds of scalars, this computation differs from the standard. The
  /// dotless "ı" has no folding in the standard, and is therefore excluded from the computation.
  /// Cherokee letters fold to lowercase here, and to uppercase in the standard.
  ///
  /// Computing the folding of each scalar of a string costs 100 times as much as a lookup in this
  /// table. The table is built at first use, which takes a few milliseconds. No script beyond
  /// U+1FFFF has cases.
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

  /// Returns whether `scalar` is in one of the ranges whose strings are always in Unicode
  /// normalisation form C (NFC).
  ///
  /// These ranges contain no combining mark and no scalar that NFC replaces.
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
