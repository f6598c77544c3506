/// A reference to one object of a property list document.
///
/// A reference is valid only for the document from which it comes. A reference from a damaged
/// file may have no object; `PropertyListDocument.value(at:)` then throws an error.
public struct PropertyListReference: Sendable, Hashable, CustomStringConvertible {
  /// The number of the object, counted from 0, in the object table of the document.
  public let number: Int

  /// The byte offset of the reference in a binary property list, or -1, for errors.
  private let originOrNone: Int

  /// The byte offset of the reference in a binary property list, for errors.
  var origin: Int? { originOrNone < 0 ? nil : originOrNone }

  /// Creates a reference to the object with a number.
  ///
  /// - Parameter number: the number of the object, counted from 0.
  public init(number: Int) {
    self.number = number
    originOrNone = -1
  }

  init(number: Int, origin: Int) {
    self.number = number
    originOrNone = origin
  }

  public var description: String { "#\(number)" }

  // References to the same object are equal, even if they occur at different offsets.
  public static func == (lhs: PropertyListReference, rhs: PropertyListReference) -> Bool {
    lhs.number == rhs.number
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
