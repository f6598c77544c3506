/// An object or a plain value of a keyed archive.
public struct KeyedArchiveNode: Sendable {
  /// The contents of a node.
  public enum Content: Sendable {
    /// A value without elements, even if it is the contents of a known class such as `NSDate`.
    case scalar(PropertyListValue)
    case array(PropertyListReferences)
    case set(PropertyListReferences)
    case dictionary(keys: PropertyListReferences, values: PropertyListReferences)
    /// The names and values of the fields of an object of another class.
    case fields(keys: PropertyListReferences, values: PropertyListReferences)
  }

  /// The number of the object in the archive, or `nil` for a value inside of another object.
  public let objectNumber: Int?
  /// The class of the object, or `nil` for a value without a class or with a damaged one.
  public let archivedClass: KeyedArchiveClass?
  /// The contents, whose references `KeyedArchive.node(at:)` resolves.
  public let content: Content

  /// The reference to the value in the document, after resolving the UID.
  public let reference: PropertyListReference

  /// The cost of finding the contents, in bytes of decoded strings.
  let decodedSize: Int
}
