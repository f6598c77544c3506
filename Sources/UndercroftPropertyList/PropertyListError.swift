/// An error that states which part of a property list is damaged, and where.
public struct PropertyListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A place in a file.
  public enum Location: Sendable, Hashable, CustomStringConvertible {
    /// The offset of a byte, counted from 0, in a binary property list.
    case byte(Int)
    /// A line and a column in the text of an XML property list.
    ///
    /// Both are counted from 1. A column is a Unicode scalar.
    case line(Int, column: Int)

    public var description: String {
      switch self {
      case .byte(let offset): "byte \(offset)"
      case .line(let line, let column): "line \(line), column \(column)"
      }
    }
  }

  /// The place of the defect.
  public let location: Location
  /// The defect as a clause in English, such as "the string is not valid UTF-8".
  ///
  /// The reason contains no text of the file, so that it can be part of a message that must not
  /// contain a stored value.
  public let reason: String
  /// The text of the file that is wrong, or `nil` if the defect is not text.
  public let excerpt: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - location: the place of the defect.
  ///   - reason: the defect as a clause in English, without text of the file.
  ///   - excerpt: the text of the file that is wrong.
  public init(location: Location, reason: String, excerpt: String? = nil) {
    self.location = location
    self.reason = reason
    self.excerpt = excerpt
  }

  public var description: String {
    let found = excerpt.map { ": \"\($0)\"" } ?? ""
    return "cannot read the property list at \(location): \(reason)\(found)"
  }

  static func byte(_ offset: Int, _ reason: String) -> PropertyListError {
    PropertyListError(location: .byte(offset), reason: reason)
  }
}
