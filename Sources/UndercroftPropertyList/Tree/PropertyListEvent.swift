/// One event of a walk over a property list.
public struct PropertyListEvent: Sendable {
  /// A container at its beginning.
  public struct Container: Sendable {
    /// The kind of a container.
    public enum Kind: Sendable, Hashable {
      case array
      case set
      case dictionary
      /// An object of a keyed archive, whose keys are the names of its fields.
      case object
    }

    /// The kind of the container.
    public let kind: Kind
    /// The number of elements, or of pairs of a key and a value.
    public let count: Int
    /// The class of an object of a keyed archive.
    public let archivedClass: KeyedArchiveClass?
    /// The number of the object in the document, or in the keyed archive if it has one there.
    public let objectNumber: Int?
  }

  /// A limit at which a walk stops.
  public enum Limit: Sendable, Hashable {
    /// The walk omits the elements of a container that is nested too deeply.
    case depth
    /// The walk omits all following values because it has produced too many events.
    case nodeCount
    /// The walk omits all following values because the strings are too long.
    case textSize
  }

  /// The kind of an event, with its value.
  public enum Kind: Sendable {
    /// The beginning of a container, whose elements and end follow.
    case begin(Container)
    /// A key, whose value follows; a key that is a container is not expanded.
    case key(PropertyListValue)
    /// A value without elements, and its class in a keyed archive.
    case scalar(PropertyListValue, KeyedArchiveClass?)
    /// A container that the walk has expanded before, or expands now if it contains itself.
    case repeated(objectNumber: Int?, isCycle: Bool)
    /// A damaged value, in place of the value.
    case unreadable(PropertyListError)
    /// An omission of a container, or of everything up to the ends of the open containers.
    case truncated(Limit)
    /// The end of the innermost container.
    case end
  }

  /// The kind of the event, with its value.
  public let kind: Kind
  /// The number of containers around the value.
  public let depth: Int
}
