import Foundation
import UndercroftCore
import UndercroftInspection

/// The texts of a value before and after a change, which differ even if only a part that is not
/// shown has changed.
struct ChangedValueText {
  /// The number of bytes of binary values that are shown from the first difference.
  private static let shownBytes = 8

  let old: String
  let new: String

  init(_ old: InspectedValue, _ new: InspectedValue, named name: String, _ excerpt: ValueExcerpt) {
    (self.old, self.new) = Self.texts(old, new, named: name, excerpt)
  }

  init(_ old: Data, _ new: Data, named name: String, _ excerpt: ValueExcerpt) {
    self.init(.bytes(old), .bytes(new), named: name, excerpt)
  }

  private static func texts(
    _ old: InspectedValue, _ new: InspectedValue, named name: String, _ excerpt: ValueExcerpt
  ) -> (String, String) {
    let texts = (excerpt.text(of: old, named: name), excerpt.text(of: new, named: name))
    guard texts.0.isExactly(texts.1), old != new else { return texts }
    guard let before = old.bytes, let after = new.bytes, before != after else {
      // Values of different types can have the same text.
      return ("\(texts.0) (\(old.typeName))", "\(texts.1) (\(new.typeName))")
    }
    // Only a placeholder may describe a secret.
    if let redactor = excerpt.redactor, redactor.redacts(name: name, value: before) { return texts }
    let offset = zip(before, after).prefix { $0 == $1 }.count
    let parts = (excerpt.text(of: before, around: offset), excerpt.text(of: after, around: offset))
    guard parts.0.isExactly(parts.1) else { return parts }
    return (description(of: before, from: offset), description(of: after, from: offset))
  }

  private static func description(of bytes: Data, from offset: Int) -> String {
    guard offset < bytes.count else { return "the first \(bytes.count) bytes" }
    let part = bytes.dropFirst(offset).prefix(shownBytes)
      .map { ValueText.hexadecimal(CollectionOfOne($0)) }.joined(separator: " ")
    return "\(bytes.count) bytes, from byte \(offset): \(part)"
  }
}

extension InspectedValue {
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .bytes: "blob"
    }
  }
}
