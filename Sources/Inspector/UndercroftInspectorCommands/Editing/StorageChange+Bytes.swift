import Foundation
import UndercroftCore

extension StorageChange {
  /// The bytes that the change stores, or `nil` if it removes them.
  var bytes: Data? {
    switch self {
    case .set(_, let bytes): bytes
    case .remove: nil
    }
  }
}
