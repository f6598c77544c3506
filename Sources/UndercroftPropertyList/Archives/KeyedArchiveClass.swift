/// The class of an archived object, of which only names are known.
public struct KeyedArchiveClass: Sendable, Hashable, CustomStringConvertible {
  /// The name of the class, such as "NSMutableArray".
  public let name: String
  /// The names of the class and of its superclasses, beginning with the class.
  public let chain: [String]

  public var description: String { name }

  /// Returns whether a class is this class or one of its superclasses.
  ///
  /// - Parameter ancestor: the name of the class.
  public func inherits(from ancestor: String) -> Bool {
    name == ancestor || chain.contains(ancestor)
  }
}
