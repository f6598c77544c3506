public import UndercroftFoundation

/// One change to a backend; a batch is an array of changes.
public enum StorageChange: Sendable, Equatable {
  /// Stores the bytes under the name, replacing bytes that are already stored.
  case set(String, Data)
  /// Removes the name and its bytes, if there are any.
  case remove(String)

  /// The name that the change concerns.
  public var name: String {
    switch self {
    case .set(let name, _), .remove(let name): name
    }
  }

  /// Returns the same change with another name.
  public func renamed(_ name: String) -> StorageChange {
    switch self {
    case .set(_, let bytes): .set(name, bytes)
    case .remove: .remove(name)
    }
  }
}
