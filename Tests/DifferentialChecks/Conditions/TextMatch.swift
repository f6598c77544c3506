import UndercroftRelational

extension Term where Value: TextValue {
  func like(_ pattern: String, isNegated: Bool) -> Predicate {
    let compiled = LikePattern(pattern)
    return Predicate(
      "\(text).\(isNegated ? "notLike" : "like")(\(pattern.debugDescription))"
    ) { columns in
      isNegated ? library(columns).notLike(pattern) : library(columns).like(pattern)
    } model: { rows in
      guard case .text(let text) = model(rows) else { return false }
      return compiled.matches(text) != isNegated
    }
  }

  /// Returns a condition that tests whether a string begins with, ends with or contains another
  /// string.
  ///
  /// The strings are compared byte by byte, or without regard to the case of A to Z.
  func matches(_ part: TextPart, _ other: String, ignoringCase: Bool) -> Predicate {
    Predicate(
      "\(text).\(part)(\(other.debugDescription), ignoringCase: \(ignoringCase))"
    ) { columns in
      let own = library(columns)
      return switch part {
      case .hasPrefix: own.hasPrefix(other, ignoringCase: ignoringCase)
      case .hasSuffix: own.hasSuffix(other, ignoringCase: ignoringCase)
      case .contains: own.contains(other, ignoringCase: ignoringCase)
      }
    } model: { rows in
      guard case .text(let text) = model(rows) else { return false }
      return ignoringCase
        ? part.holds(Array(text.asciiLowercased.utf8), Array(other.asciiLowercased.utf8))
        : part.holds(Array(text.utf8), Array(other.utf8))
    }
  }
}

enum TextPart: CaseIterable, Sendable {
  case hasPrefix, hasSuffix, contains

  func holds(_ text: [UInt8], _ other: [UInt8]) -> Bool {
    guard text.count >= other.count else { return false }
    return switch self {
    case .hasPrefix: text.starts(with: other)
    case .hasSuffix: text.suffix(other.count).elementsEqual(other)
    case .contains:
      (0...text.count - other.count).contains { text[$0...].starts(with: other) }
    }
  }
}
