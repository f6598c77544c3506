import Foundation
import UndercroftInspection

extension InspectedValue {
  /// The bytes of a text or blob, and `nil` for NULL and numbers.
  var bytes: Data? {
    switch self {
    case .text(let text): Data(text.utf8)
    case .bytes(let bytes): bytes
    case .null, .integer, .real: nil
    }
  }
}
