/// An error that states which component of a path leads to no value.
public struct PropertyListPathError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason why a component leads to no value.
  public enum Reason: Sendable, Equatable {
    /// The dictionary or object does not have the key.
    ///
    /// - Parameters:
    ///   - available: the first keys in the order of the file.
    ///   - count: the number of all keys.
    case missingKey(available: [String], count: Int)
    /// The array or set does not have the index; `count` is the number of its elements.
    case invalidIndex(count: Int)
    /// The value before the component has neither keys nor indices.
    case notAContainer
    /// A value on the way is damaged.
    case unreadable(PropertyListError)
  }

  /// The whole path.
  public let path: PropertyListPath
  /// The position of the component that leads to no value, counted from 0.
  public let position: Int
  /// The reason why there is no value at the path.
  public let reason: Reason

  /// The component that leads to no value.
  public var component: String {
    path.components.indices.contains(position) ? path.components[position] : ""
  }

  public var description: String {
    let parent = PropertyListPath(Array(path.components.prefix(position))).description
    let container = parent.isEmpty ? "the root" : "\"\(parent)\""
    let detail =
      switch reason {
      case .missingKey(let available, let count): missingKey(container, available, count)
      case .invalidIndex(let count):
        count == 0
          ? "\(container) has no elements"
          : "\(container) has \(count) elements; use an index from 0 to \(count - 1)"
      case .notAContainer: "\(container) has no elements because it is a single value"
      case .unreadable(let error): error.description
      }
    return "cannot find \"\(component)\" of the path \"\(path)\": \(detail)"
  }

  private func missingKey(_ container: String, _ available: [String], _ count: Int) -> String {
    guard count > 0 else { return "\(container) has no keys" }
    let names = available.map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = count > available.count ? " and \(count - available.count) more" : ""
    return "\(container) does not have this key; the keys are \(names)\(rest)"
  }
}
