import Foundation
import UndercroftCore
import UndercroftInspection
import UndercroftPropertyList

/// The names of the members of values that are objects, as JSON or as property lists.
enum ObjectMembers {
  /// The maximum size in bytes of a value that is decoded.
  static let maximumByteCount = 100_000

  /// Returns the names of the members of an object, or `nil` for any other value.
  static func of(_ bytes: Data) -> [ExactString]? {
    guard !bytes.isEmpty, bytes.count <= maximumByteCount else { return nil }
    if PropertyListText.isOne(bytes) { return propertyListMembers(bytes) }
    guard bytes.first == UInt8(ascii: "{"),
      let object = try? JSONSerialization.jsonObject(with: bytes) as? NSDictionary
    else { return nil }
    return object.allKeys.compactMap { ($0 as? String).map { ExactString($0) } }
  }

  /// Returns the names of the members of an object in a row, or `nil` for any other value.
  static func of(_ value: InspectedValue) -> [ExactString]? {
    switch value {
    case .text(let text): text.utf8.first == UInt8(ascii: "{") ? of(Data(text.utf8)) : nil
    case .bytes(let bytes): of(bytes)
    case .null, .integer, .real: nil
    }
  }

  /// Returns the keys of a dictionary.
  ///
  /// A keyed archive is a dictionary with the same keys for every class, so these are no members.
  private static func propertyListMembers(_ bytes: Data) -> [ExactString]? {
    guard let document = try? PropertyListDocument(bytes),
      !KeyedArchive.isKeyedArchive(document),
      case .dictionary(let keys, _) = try? document.value(at: document.root)
    else { return nil }
    return keys.prefix(1_000).compactMap { key in
      guard case .string(let name) = try? document.value(at: key) else { return nil }
      return ExactString(name)
    }
  }
}
